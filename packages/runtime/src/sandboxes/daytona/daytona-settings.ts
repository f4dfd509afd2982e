import { type HostedPrograms, HostedSettings } from "../hosted/hosted-settings.ts";

const minute = 60_000;

/** The settings of the provider, each with a line for people. */
export const daytonaSettings = {
  apiKey: "key of the organization, with the rights to write and delete sandboxes (default: DAYTONA_API_KEY)",
  apiUrl: "address of the API (default: DAYTONA_API_URL, or https://app.daytona.io/api)",
  target: "region in which sandboxes are made (default: DAYTONA_TARGET, or that of the organization)",
  image:
    "what sandboxes are made of where a session names nothing else: snapshot:NAME, or an image of a registry (default: Daytona's own snapshot; with programs=image snapshot:sandbox-agent)",
  programs:
    "where sandboxes have the daemon and the agents' programs from: upload or image, which is also a snapshot (default: upload)",
  root: "directory inside for all that is brought in and kept (default: /home/daytona/sandbox-agent; with programs=image /home/agent/sandbox-agent)",
  lifeMs:
    "how long a sandbox that nobody uses from outside runs on, in whole minutes; 0: for ever (default: 15 minutes)",
  diskGiB: "disk of sandboxes that are made of an image (default: Daytona's own)",
} as const;

export interface DaytonaSettings {
  readonly apiKey: string;
  readonly apiUrl: string;
  readonly target: string | undefined;
  /** Undefined: Daytona's own snapshot. */
  readonly image: string | undefined;
  readonly programs: HostedPrograms;
  readonly root: string;
  readonly lifeMs: number;
  readonly diskGiB: number | undefined;
}

type Given = Readonly<Partial<Record<keyof typeof daytonaSettings, unknown>>>;

export function readDaytonaSettings(given: Given, env?: NodeJS.ProcessEnv): DaytonaSettings {
  const settings = new HostedSettings("daytona", given, env);
  const programs = settings.programs("programs");
  return {
    apiKey: settings.secret("apiKey", ["DAYTONA_API_KEY"], "Daytona's dashboard makes keys under Keys"),
    apiUrl: settings.url("apiUrl", ["DAYTONA_API_URL"]) ?? "https://app.daytona.io/api",
    target: settings.textOrVariable("target", ["DAYTONA_TARGET"]),
    image: settings.text("image") ?? (programs === "image" ? "snapshot:sandbox-agent" : undefined),
    programs,
    root: settings.path("root", `/home/${programs === "image" ? "agent" : "daytona"}/sandbox-agent`),
    lifeMs: settings.number("lifeMs", 0, 15 * minute),
    diskGiB: settings.number("diskGiB", 1),
  };
}
