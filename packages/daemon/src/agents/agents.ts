import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import {
  type AgentAdapter,
  type AgentHost,
  type AgentLogger,
  type AgentProbe,
  type AgentProgram,
  type LocatedProgram,
  listInstalled,
  profileSupport,
  requireProgram,
  sharedKeys,
} from "@sandbox-agent-ts/agents";
import {
  type AgentInfo,
  type AgentInstallResponse,
  type AgentListQuery,
  SandboxError,
} from "@sandbox-agent-ts/protocol";
import type { InstallOptions } from "@sandbox-agent-ts/server";
import { checkPolicy } from "../policy/check-policy.ts";
import type { SessionConfig } from "../sessions/session-config.ts";
import { NewestVersions } from "./newest-versions.ts";

const sourceOf = { present: "installed", cache: "cache", download: "registry" } as const;

export interface AgentsOptions {
  readonly load: () => Promise<readonly AgentAdapter[]>;
  readonly spawn: AgentHost["spawn"];
  /** Holds a private folder for each agent. */
  readonly directory: string;
  readonly installRoot: string;
  readonly env: Readonly<Record<string, string>>;
  /** `false`: an agent that is missing is not installed for a session. */
  readonly autoInstall?: boolean | undefined;
  readonly log: AgentLogger;
}

/** The agents this daemon can drive, each with the world it is given. Loaded when first asked for. */
export class Agents {
  readonly log: AgentLogger;
  readonly #options: AgentsOptions;
  readonly #newest: NewestVersions;
  #loaded: Promise<Map<string, { adapter: AgentAdapter; agentHost: AgentHost }>> | undefined;

  constructor(options: AgentsOptions) {
    this.#options = options;
    this.log = options.log;
    this.#newest = new NewestVersions(options.env, options.log);
  }

  async get(id: string): Promise<{ adapter: AgentAdapter; agentHost: AgentHost }> {
    const agents = await this.#load();
    const found = agents.get(id);
    if (found) return found;
    const known = [...agents.keys()].join(", ");
    throw new SandboxError("unsupported_agent", `There is no agent "${id}". This daemon has: ${known}.`, { agent: id });
  }

  async list({ newest = false }: AgentListQuery = {}): Promise<AgentInfo[]> {
    const agents = [...(await this.#load()).values()];
    const programs = agents.flatMap(({ adapter }) => adapter.program ?? []);
    const newestOf = newest ? await this.#newest.of(programs) : undefined;
    return Promise.all(
      agents.map(async ({ adapter, agentHost }) => {
        const serverStatus = adapter.serverStatus?.();
        const { id, displayName: name, capabilities } = adapter;
        const newestVersion = newestOf?.get(adapter.program?.name ?? "");
        return {
          id,
          name,
          ...(await probe(adapter, agentHost)),
          ...(adapter.program ? await versionsOf(adapter.program, agentHost) : {}),
          ...(newestVersion === undefined ? {} : { newestVersion }),
          capabilities,
          profile: profileSupport(adapter),
          ...(serverStatus ? { serverStatus } : {}),
        };
      }),
    );
  }

  /** Refuse what no version of the agent can do, before anything happens. */
  async check({ agent, permissionMode, policy }: SessionConfig): Promise<void> {
    const { adapter } = await this.get(agent);
    if (!adapter.permissionModes.includes(permissionMode)) {
      throw notSupported(agent, "permissionMode", permissionMode, adapter.permissionModes);
    }
    if (policy) checkPolicy(policy, adapter);
  }

  /** Refuse a mode that the agent does not have; it must be installed to be asked. */
  async checkMode({ agent, agentMode }: SessionConfig): Promise<void> {
    const { adapter, agentHost } = await this.get(agent);
    const modes = (await adapter.modes(agentHost)).map((mode) => mode.id);
    if (!modes.includes(agentMode)) throw notSupported(agent, "agentMode", agentMode, modes);
  }

  /** Refuse a model or variant that the agent is known not to have; it must be installed to be asked. */
  async checkModel({ agent, model, variant, env }: SessionConfig): Promise<void> {
    if (model === undefined && variant === undefined) return;
    const { adapter, agentHost } = await this.get(agent);
    const host = { ...agentHost, env: { ...agentHost.env, ...env } };
    const wish = { ...(model === undefined ? {} : { model }), ...(variant === undefined ? {} : { variant }) };
    const refusal = await adapter.refuseModel?.(host, wish).catch((err: unknown) => {
      this.log.debug({ err, agent }, "an agent could not be asked for its models; its session finds out");
    });
    if (!refusal) return;
    const { field: path, message } = refusal;
    throw new SandboxError("mode_not_supported", message, { agent, details: { issues: [{ path, message }] } });
  }

  /**
   * The agent in this version, else in any; installed when it is missing, unless that is switched off. Answers with the
   * version a session keeps: that of an installed program. One of `PATH` or the environment is its owner's to change.
   */
  async ensureInstalled(id: string, version: string | undefined): Promise<string | undefined> {
    const { adapter, agentHost } = await this.get(id);
    if (adapter.program) {
      const located = await this.#ensureProgram(adapter.program, agentHost, version);
      return located.source === "installed" ? located.version : undefined;
    }
    const { installed } = await adapter.probe(agentHost);
    if (installed) return undefined;
    const message = `${adapter.displayName} is not installed, and this daemon cannot install it. Install it yourself.`;
    throw new SandboxError("agent_not_installed", message, { agent: id });
  }

  async #ensureProgram(program: AgentProgram, host: AgentHost, version: string | undefined): Promise<LocatedProgram> {
    if (this.#options.autoInstall === false) return requireProgram(program, host, version);
    const { ensureProgram } = await import("@sandbox-agent-ts/agents/install");
    return ensureProgram(program, host, { log: this.log, ...(version === undefined ? {} : { version }) });
  }

  /** The version this daemon is made for; nothing to do for an agent without a program. */
  async install(id: string, { reinstall, onProgress }: InstallOptions): Promise<AgentInstallResponse> {
    const { adapter, agentHost } = await this.get(id);
    if (!adapter.program) return { already_installed: true, artifacts: [] };
    const { installProgram } = await import("@sandbox-agent-ts/agents/install");
    const { artifacts } = await installProgram(adapter.program, agentHost, {
      log: this.log,
      reinstall,
      ...(onProgress && { onProgress: (progress) => onProgress({ type: "progress", ...progress }) }),
    });
    return {
      already_installed: artifacts.every(({ origin }) => origin === "present"),
      artifacts: artifacts.map(({ program: name, origin, ...rest }, index) => ({
        kind: index === 0 ? "program" : "dependency",
        name,
        source: sourceOf[origin],
        ...rest,
      })),
    };
  }

  /** What the agent wrote for a session that is deleted, also where this daemon does not have the agent any more. */
  async forgetSession(agent: string, sessionId: string): Promise<void> {
    const { removeSessionFolders } = await import("@sandbox-agent-ts/agents");
    await removeSessionFolders(join(this.#options.directory, basename(agent)), sessionId);
  }

  async close(): Promise<void> {
    if (!this.#loaded) return;
    const agents = await this.#loaded.catch(() => undefined);
    await Promise.allSettled([...(agents?.values() ?? [])].map(({ adapter }) => adapter.close?.()));
  }

  #load() {
    this.#loaded ??= this.#connect().catch((error: unknown) => {
      this.#loaded = undefined;
      throw error;
    });
    return this.#loaded;
  }

  async #connect() {
    const { load, spawn, directory, installRoot, env, log } = this.#options;
    return new Map(
      (await load()).map((adapter) => {
        const dataDir = join(directory, adapter.id);
        mkdirSync(dataDir, { recursive: true, mode: 0o700 });
        return [adapter.id, { adapter, agentHost: { env, dataDir, installRoot, log, spawn } }] as const;
      }),
    );
  }
}

/** It counts as signed in with what it will be given, too. */
async function probe(adapter: AgentAdapter, host: AgentHost): Promise<AgentProbe> {
  const found = await adapter.probe(host);
  if (found.credentialsAvailable || !adapter.credentials) return found;
  const keys = await sharedKeys(adapter.credentials, host.env);
  return { ...found, credentialsAvailable: Object.keys(keys).length > 0 };
}

async function versionsOf(
  { name, version }: AgentProgram,
  { installRoot }: AgentHost,
): Promise<Pick<AgentInfo, "pinnedVersion" | "installedVersions">> {
  const installed = await listInstalled(installRoot, name);
  return {
    pinnedVersion: version,
    installedVersions: installed.map(({ version: there, from = "npm" }) => ({ version: there, from })),
  };
}

function notSupported(agent: string, field: string, value: string, known: readonly string[]): SandboxError {
  const message = `${agent} has no ${field} "${value}". It has: ${known.join(", ")}.`;
  return new SandboxError("mode_not_supported", message, {
    agent,
    details: { issues: [{ path: field, message }] },
  });
}
