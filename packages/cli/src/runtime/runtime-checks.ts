import { createServer } from "node:net";
import { resolve } from "node:path";
import type { ProviderCheck } from "@sandbox-agent-ts/runtime";
import { checkModelAddresses } from "./check-model-addresses.ts";
import { openSandboxes, openStore, ownProgram } from "./open-runtime.ts";
import { type RuntimeFlags, type RuntimeSettings, runtimeSettings } from "./runtime-settings.ts";

/** What a runtime needs, looked at one after the other. Never rejects. */
export async function runtimeChecks(flags: RuntimeFlags): Promise<readonly ProviderCheck[]> {
  let settings: RuntimeSettings;
  try {
    settings = runtimeSettings(flags, process.env);
  } catch (error) {
    return [{ name: "config", ok: false, detail: (error as Error).message }];
  }
  const provider = await attempt("provider", async () => {
    const sandboxes = await openSandboxes(settings);
    const checks = await sandboxes.check();
    await sandboxes.dispose();
    return checks;
  });
  return [
    ...(flags.config === undefined ? [] : [{ name: "config", ok: true, detail: resolve(flags.config) }]),
    ...(await attempt("bundle", async () => [{ name: "bundle", ok: true, detail: ownProgram(settings).bundle }])),
    ...(await attempt("store", () => checkStore(settings))),
    ...(await attempt("port", () => checkPort(settings))),
    ...provider,
    ...checkModelAddresses(settings.provider, process.env),
  ];
}

async function attempt(name: string, look: () => Promise<readonly ProviderCheck[]>): Promise<readonly ProviderCheck[]> {
  try {
    return await look();
  } catch (error) {
    return [{ name, ok: false, detail: error instanceof Error ? error.message : String(error) }];
  }
}

async function checkStore(settings: RuntimeSettings): Promise<readonly ProviderCheck[]> {
  const store = await openStore(settings, true);
  const keys = await store.keys();
  await store.close();
  return [{ name: "store", ok: true, detail: `${settings.storeFile}, ${keys.length} API keys` }];
}

async function checkPort({ host, port }: RuntimeSettings): Promise<readonly ProviderCheck[]> {
  const isFree = await new Promise<boolean>((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
  const detail = isFree
    ? `${host}:${port} is free`
    : `${host}:${port} is taken, perhaps by a runtime that runs; choose another with --port`;
  return [{ name: "port", ok: isFree, detail }];
}
