import { HostedSettings } from "../hosted/hosted-settings.ts";

/** The settings of the provider, each with a line for people. */
export const cloudflareSettings = {
  url: "address of the Worker, as `wrangler deploy` prints it (default: SANDBOX_AGENT_CLOUDFLARE_URL)",
  key: "key of the Worker, its secret SANDBOX_AGENT_KEY (default: SANDBOX_AGENT_CLOUDFLARE_KEY)",
} as const;

export interface CloudflareSettings {
  readonly url: string;
  readonly key: string;
}

type Given = Readonly<Partial<Record<keyof typeof cloudflareSettings, unknown>>>;

export function readCloudflareSettings(given: Given, env?: NodeJS.ProcessEnv): CloudflareSettings {
  const settings = new HostedSettings("cloudflare", given, env);
  const url = settings.url("url", ["SANDBOX_AGENT_CLOUDFLARE_URL"]);
  if (url === undefined) {
    const advice = "Deploy the Worker in examples/cloudflare and name the address that `wrangler deploy` prints";
    throw settings.wrong(`url is missing. ${advice}, here or as SANDBOX_AGENT_CLOUDFLARE_URL`);
  }
  const whereFrom = "it is the Worker's secret, which `npx wrangler secret put SANDBOX_AGENT_KEY` sets";
  return {
    url,
    key: settings.secret("key", ["SANDBOX_AGENT_CLOUDFLARE_KEY"], whereFrom),
  };
}
