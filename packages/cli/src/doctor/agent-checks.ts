import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type AgentAdapter,
  type AgentHost,
  type AgentProbe,
  loadAgents,
  sharedKeys,
  signedInProgram,
  signInAdvice,
  signInOf,
} from "@sandbox-agent-ts/agents";
import type { Environment } from "../data-dir.ts";
import { programPlace } from "../programs/agent-programs.ts";
import type { Check } from "./check.ts";
import { whyUnreachable } from "./network-checks.ts";

export interface AgentCheckOptions {
  readonly dataDir: string;
  readonly env: Environment;
  readonly offline: boolean;
}

/** Each agent as this environment sees it. Nothing is started but what tells its version, and no model is asked. */
export async function agentChecks(options: AgentCheckOptions): Promise<Check[]> {
  const scratch = mkdtempSync(join(tmpdir(), "sandbox-agent-doctor-"));
  try {
    const adapters = await loadAgents();
    return await Promise.all(adapters.map((adapter) => agentCheck(adapter, hostOf(scratch, options), options)));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function agentCheck(adapter: AgentAdapter, host: AgentHost, options: AgentCheckOptions): Promise<Check> {
  const name = adapter.id;
  try {
    const { env } = host;
    const probe = await adapter.probe(host);
    const { installed } = probe;
    const shared = probe.credentialsAvailable || !adapter.credentials ? {} : await sharedKeys(adapter.credentials, env);
    const borrowed = Object.keys(shared);
    const credentialsAvailable = probe.credentialsAvailable || borrowed.length > 0;
    const { program } = adapter;
    if (program === undefined) return { name, state: "ok", found: "built in" };
    const what = installed ? programText(probe) : "not installed";
    if (!credentialsAvailable) {
      const install = installed ? "" : `\`sandbox-agent install-agent ${name}\`, or the first session, installs it. `;
      const advice = `${install}${signInAdvice(program)}`;
      return { name, state: "unchecked", found: `${what}, not signed in`, advice };
    }
    const signedIn =
      borrowed.length > 0 ? `gets ${borrowed.join(", ")} of another agent` : await signInText(adapter, env);
    if (!installed) {
      const advice = `The first session installs it, or \`sandbox-agent install-agent ${name}\`.`;
      return { name, state: "ok", found: `${signedIn}, not installed yet`, advice };
    }
    return { name, ...(await modelState(adapter, options)), found: `${what}, ${signedIn}` };
  } catch (error) {
    return { name, state: "warning", found: error instanceof Error ? error.message : String(error) };
  }
}

const sources = {
  environment: "named by a variable",
  installed: "installed by Sandbox Agent",
  path: "from PATH",
} as const;

function programText({ version, path, source }: AgentProbe): string {
  const place = path === undefined ? "" : ` at ${path}`;
  return `${version ?? "installed"}${place}${source ? ` (${sources[source]})` : ""}`;
}

/** Never the key itself. */
async function signInText({ credentials }: AgentAdapter, env: Environment): Promise<string> {
  const found = credentials && (await signInOf(credentials, env));
  return found ? `signed in (${found.account ? `${found.account}, ` : ""}${found.source})` : "signed in";
}

/** Only whether its host can be connected to: a request would cost money. */
async function modelState(
  adapter: AgentAdapter,
  { env, offline }: AgentCheckOptions,
): Promise<Pick<Check, "state" | "advice">> {
  const service = adapter.program && signedInProgram(adapter.program)?.modelService;
  const url = (service && env[service.variable]) || service?.url;
  if (offline || url === undefined || !URL.canParse(url) || env.HTTPS_PROXY || env.https_proxy) return { state: "ok" };
  const reason = await whyUnreachable(url);
  if (reason === undefined) return { state: "ok" };
  return { state: "warning", advice: `Its model service at ${new URL(url).host} cannot be reached: ${reason}.` };
}

function hostOf(scratch: string, { dataDir, env }: AgentCheckOptions): AgentHost {
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const silent = (): void => {};
  return {
    ...programPlace(dataDir, env),
    env: Object.fromEntries(given),
    dataDir: scratch,
    log: { debug: silent, info: silent, warn: silent, error: silent },
    spawn: () => {
      throw new Error("could not be looked at without starting it");
    },
  };
}
