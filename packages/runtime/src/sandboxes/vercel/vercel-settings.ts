import { type HostedPrograms, HostedSettings } from "../hosted/hosted-settings.ts";
import { accountOf, type VercelAccount } from "./vercel-account.ts";

const minute = 60_000;

/** The settings of the provider, each with a line for people. */
export const vercelSettings = {
  token: "access token of the account (default: VERCEL_TOKEN; else VERCEL_OIDC_TOKEN, which names team and project)",
  teamId: "the team whose sandboxes they are (default: VERCEL_TEAM_ID)",
  projectId: "the project whose sandboxes they are (default: VERCEL_PROJECT_ID)",
  apiUrl: "address of Vercel's API, for a proxy (default: https://vercel.com/api)",
  image:
    "what sandboxes are made of where a session names nothing else: snapshot:ID, or an image of Vercel's registry (default: Vercel's own image)",
  programs: "where sandboxes have the daemon and the agents' programs from: upload or image (default: upload)",
  root: "directory inside for all that is brought in and kept (default: /vercel/sandbox/sandbox-agent)",
  lifeMs: "how long a sandbox runs on when nobody puts off its end (default: 15 minutes)",
  region: "where sandboxes run, e.g. fra1 (default: Vercel's own, iad1)",
} as const;

export interface VercelSettings {
  readonly account: VercelAccount;
  readonly apiUrl: string | undefined;
  readonly image: string | undefined;
  readonly programs: HostedPrograms;
  readonly root: string;
  readonly lifeMs: number;
  readonly region: string | undefined;
}

type Given = Readonly<Partial<Record<keyof typeof vercelSettings, unknown>>>;

export function readVercelSettings(given: Given, env: NodeJS.ProcessEnv = process.env): VercelSettings {
  const settings = new HostedSettings("vercel", given, env);
  const programs = settings.programs("programs");
  const credentials = {
    token: settings.textOrVariable("token", ["VERCEL_TOKEN"]),
    teamId: settings.textOrVariable("teamId", ["VERCEL_TEAM_ID"]),
    projectId: settings.textOrVariable("projectId", ["VERCEL_PROJECT_ID"]),
  };
  return {
    account: accountOf(credentials, env.VERCEL_OIDC_TOKEN),
    apiUrl: settings.url("apiUrl"),
    image: imageOf(settings, programs),
    programs,
    root: settings.path("root", "/vercel/sandbox/sandbox-agent"),
    lifeMs: settings.number("lifeMs", 1_000, 15 * minute),
    region: settings.text("region"),
  };
}

/** What is made by `sandbox-agent image template --provider vercel` has a name that nobody can guess. */
function imageOf(settings: HostedSettings<keyof typeof vercelSettings>, programs: HostedPrograms): string | undefined {
  const image = settings.text("image");
  if (programs !== "image" || image !== undefined) return image;
  throw settings.wrong(
    "with programs=image it needs image, e.g. snapshot:snap_… as `sandbox-agent image template --provider vercel` makes one",
  );
}
