import { join } from "node:path";
import { createAgentRuntime, type ProviderCheck, serveRuntime } from "@sandbox-agent-ts/runtime";
import { createLogger } from "@sandbox-agent-ts/server";
import { exitCode } from "../exit-code.ts";
import { inspectorFiles } from "../server/inspector-files.ts";
import { inspectorLink } from "../server/inspector-link.ts";
import { reachableUrl } from "../server/reachable-url.ts";
import { untilSignal } from "../server/until-signal.ts";
import { version } from "../version.ts";
import { agentEnvironment } from "./agent-environment.ts";
import { checkModelAddresses } from "./check-model-addresses.ts";
import { openFormerSandboxes, openSandboxes, openStore, ownProgram } from "./open-runtime.ts";
import { type RuntimeFlags, runtimeSettings } from "./runtime-settings.ts";
import { secretKeys } from "./secret-keys.ts";

const cors = { origins: [], methods: [], headers: [], credentials: false };

/** Be a runtime in the foreground until a signal ends it. Its sandboxes go on. */
export async function runRuntime(flags: RuntimeFlags): Promise<number> {
  const settings = runtimeSettings(flags, process.env);
  const signalled = untilSignal();
  const log = createLogger(settings.logLevel, process.stderr.isTTY ? "text" : "json");
  const program = ownProgram(settings);
  const store = await openStore(settings, false);
  const provider = await openSandboxes(settings);
  const tell = (checks: readonly ProviderCheck[]) => {
    for (const { name, ok, detail } of checks) log[ok ? "debug" : "warn"]({ check: name }, detail);
  };
  tell(checkModelAddresses(settings.provider, process.env));
  // One that does not answer now may do so later.
  provider.check().then(tell, (err: unknown) => log.warn({ err }, "the provider of sandboxes does not answer"));
  const formerProviders = await openFormerSandboxes(store, settings, process.env);
  for (const { name } of formerProviders) log.warn({ provider: name }, "the sandboxes of another provider are ended");
  const runtime = await createAgentRuntime({
    store,
    provider,
    formerProviders,
    ...program,
    programsDir: join(settings.directory, "agents"),
    ...secretKeys(settings.directory, process.env),
    quotas: settings.quotas,
    audit: settings.audit,
    agentEnv: agentEnvironment(process.env),
    owner: store.storeId,
    limits: settings.limits,
    pool: settings.pool,
    profilesDir: settings.profilesDir,
    log,
  });
  const given = process.env.SANDBOX_AGENT_RUNTIME_KEY || undefined;
  const key = await firstKey(runtime.keys, given);
  const { host, port } = settings;
  const ui = inspectorFiles();
  const gateway = await serveRuntime(runtime, { version, host, port, cors, ui });
  process.stdout.write(banner(reachableUrl(gateway.url), key, settings.directory));
  await signalled;
  await gateway.close();
  await runtime.close();
  return exitCode.ok;
}

/** A store without keys gets one for its operator. */
async function firstKey(
  keys: Awaited<ReturnType<typeof createAgentRuntime>>["keys"],
  given: string | undefined,
): Promise<string | undefined> {
  const known = await keys.list();
  if (given !== undefined) {
    const isKnown = await keys.principalOf(given).catch(() => undefined);
    if (!isKnown)
      await keys.create({ name: "SANDBOX_AGENT_RUNTIME_KEY", principal: "admin", scope: "admin", key: given });
    return undefined;
  }
  if (known.length > 0) return undefined;
  return (await keys.create({ name: "first start", principal: "admin", scope: "admin" })).key;
}

function banner(url: string, key: string | undefined, directory: string): string {
  const lines = [
    "The runtime is running.",
    "",
    ...(key === undefined ? [] : [`  Open       ${inspectorLink(url, key)}`]),
    `  URL        ${url}`,
    `  API key    ${key ?? "one that was made before; `sandbox-agent runtime keys create --name …` makes another"}`,
    ...(key === undefined ? [] : ["             shown this once; it may do everything"]),
    `  Kept in    ${directory}`,
    "",
  ];
  return `${lines.join("\n")}\n`;
}
