import { type HostedPrograms, HostedSettings } from "../hosted/hosted-settings.ts";

const hour = 60 * 60_000;
const longestLifeMs = 24 * hour;

/** The settings of the provider, each with a line for people. */
export const modalSettings = {
  tokenId: "id of the account's token (default: MODAL_TOKEN_ID)",
  tokenSecret: "its secret (default: MODAL_TOKEN_SECRET)",
  serverUrl: "address of Modal's API, where it is another one (default: MODAL_SERVER_URL)",
  environment: "environment of the workspace (default: MODAL_ENVIRONMENT, or the workspace's own)",
  app: "app that sandboxes belong to; made when it is missing (default: sandbox-agent)",
  image:
    "image of a registry, or an id im-…, where a session names nothing else (default: node:22-bookworm; to be named with programs=image)",
  registrySecret:
    "name of a secret at Modal with REGISTRY_USERNAME and REGISTRY_PASSWORD, for images that are not public",
  programs: "where sandboxes have the daemon and the agents' programs from: upload or image (default: upload)",
  root: "directory inside for all that is brought in and kept (default: /home/user/sandbox-agent)",
  user: "number of the user that all runs as where the sandbox's own is root; 0 stays root (default: 1000)",
  lifeMs: "how long a sandbox lives at most, which cannot be changed later (default and most: 24 hours)",
  access: "how its daemon is reached: by connect tokens, or through a tunnel that is open to all (default: token)",
} as const;

export interface ModalSettings {
  readonly tokenId: string;
  readonly tokenSecret: string;
  readonly serverUrl: string | undefined;
  readonly environment: string | undefined;
  readonly app: string;
  readonly image: string;
  readonly registrySecret: string | undefined;
  readonly programs: HostedPrograms;
  readonly root: string;
  readonly user: number;
  readonly lifeMs: number;
  readonly access: "token" | "tunnel";
}

type Given = Readonly<Partial<Record<keyof typeof modalSettings, unknown>>>;

export function readModalSettings(given: Given, env?: NodeJS.ProcessEnv): ModalSettings {
  const settings = new HostedSettings("modal", given, env);
  const whereFrom = "`modal token new` writes both into ~/.modal.toml, as token_id and token_secret";
  const programs = settings.programs("programs");
  const image = settings.text("image");
  if (programs === "image" && image === undefined)
    throw settings.wrong("with programs=image the setting image names the one that has them");
  const lifeMs = settings.number("lifeMs", 1_000, longestLifeMs);
  if (lifeMs > longestLifeMs) throw settings.wrong("lifeMs is at most 24 hours, 86400000");
  const user = settings.number("user", 0, 1_000);
  if (!Number.isInteger(user)) throw settings.wrong("user is the number of a user");
  return {
    tokenId: settings.secret("tokenId", ["MODAL_TOKEN_ID"], whereFrom),
    tokenSecret: settings.secret("tokenSecret", ["MODAL_TOKEN_SECRET"], whereFrom),
    serverUrl: settings.url("serverUrl", ["MODAL_SERVER_URL"]),
    environment: settings.textOrVariable("environment", ["MODAL_ENVIRONMENT"]),
    app: settings.text("app", "sandbox-agent"),
    image: image ?? "node:22-bookworm",
    registrySecret: settings.text("registrySecret"),
    programs,
    root: settings.path("root", "/home/user/sandbox-agent"),
    user,
    lifeMs,
    access: settings.choice("access", ["token", "tunnel"], "token"),
  };
}
