import { type HostedPrograms, HostedSettings } from "../hosted/hosted-settings.ts";

const minute = 60_000;

/** The settings of the provider, each with a line for people. */
export const e2bSettings = {
  apiKey: "key of the account (default: E2B_API_KEY)",
  domain: "where E2B is, for one of your own (default: E2B_DOMAIN, or e2b.app)",
  apiUrl: "address of its API, where it is not that of the domain (default: E2B_API_URL)",
  sandboxUrl: "address through which sandboxes' files and commands are reached, likewise (default: E2B_SANDBOX_URL)",
  template:
    "what sandboxes are made of where a session names nothing else (default: base; with programs=image sandbox-agent)",
  programs:
    "where sandboxes have the daemon and the agents' programs from: upload or image, the template (default: upload)",
  root: "directory inside for all that is brought in and kept (default: /home/user/sandbox-agent)",
  lifeMs: "how long a sandbox runs on when nobody puts off its end (default: 15 minutes)",
  onTimeout: "what E2B does with it then: pause, so that nothing is lost, or kill (default: pause)",
  suspend: "what is kept of a sandbox that is paused: memory, with all that runs, or disk alone (default: memory)",
  publicTraffic: "whether who knows a sandbox's name reaches its ports without E2B's token (default: false)",
} as const;

export interface E2bSettings {
  readonly apiKey: string;
  readonly domain: string | undefined;
  readonly apiUrl: string | undefined;
  readonly sandboxUrl: string | undefined;
  readonly template: string;
  readonly programs: HostedPrograms;
  readonly root: string;
  readonly lifeMs: number;
  readonly onTimeout: "pause" | "kill";
  readonly suspend: "memory" | "disk";
  readonly publicTraffic: boolean;
}

type Given = Readonly<Partial<Record<keyof typeof e2bSettings, unknown>>>;

export function readE2bSettings(given: Given, env?: NodeJS.ProcessEnv): E2bSettings {
  const settings = new HostedSettings("e2b", given, env);
  const programs = settings.programs("programs");
  return {
    apiKey: settings.secret("apiKey", ["E2B_API_KEY"], "E2B's dashboard makes keys under API Keys"),
    domain: settings.textOrVariable("domain", ["E2B_DOMAIN"]),
    apiUrl: settings.url("apiUrl", ["E2B_API_URL"]),
    sandboxUrl: settings.url("sandboxUrl", ["E2B_SANDBOX_URL"]),
    template: settings.text("template", programs === "image" ? "sandbox-agent" : "base"),
    programs,
    root: settings.path("root", "/home/user/sandbox-agent"),
    lifeMs: settings.number("lifeMs", 1_000, 15 * minute),
    onTimeout: settings.choice("onTimeout", ["pause", "kill"], "pause"),
    suspend: settings.choice("suspend", ["memory", "disk"], "memory"),
    publicTraffic: settings.flag("publicTraffic", false),
  };
}
