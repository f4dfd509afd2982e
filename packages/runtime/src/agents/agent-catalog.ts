import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import {
  type AgentInfo,
  type AgentListQuery,
  type AgentModesResponse,
  type CreateSessionRequest,
  SandboxError,
} from "@sandbox-agent-ts/protocol";
import { SandboxAgent, SandboxAgentError } from "@sandbox-agent-ts/sdk";
import type { AgentsService, InstallOptions } from "@sandbox-agent-ts/server";

/** The daemon of a runtime that was killed has its directory until it, too, is gone. One that stays longer is ended. */
const predecessorGraceMs = 5_000;
const predecessorMs = 30_000;
const lookAgainMs = 100;

/** Every agent has it. */
const defaultMode = "build";

export interface AgentCatalogOptions {
  /** What is started as the daemon that is asked. */
  readonly program: string;
  /** Where its programs are installed, from which sandboxes have them. */
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Which agents there are, what they can do, and their programs: asked of a daemon outside of any sandbox, which runs no
 * session. It is started when it is first asked and ends with the runtime.
 */
export class AgentCatalog implements AgentsService {
  readonly #options: AgentCatalogOptions;
  readonly #modes = new Map<string, Promise<AgentModesResponse>>();
  readonly #installed = new Map<string, Promise<void>>();
  #daemon: Promise<SandboxAgent> | undefined;
  #known: Promise<readonly AgentInfo[]> | undefined;

  constructor(options: AgentCatalogOptions) {
    this.#options = options;
  }

  /** Where sandboxes find the programs. */
  get programs(): string {
    return `${this.#options.dataDir}/programs`;
  }

  async list({ newest = false }: AgentListQuery = {}) {
    return (await this.#ask((client) => client.listAgents(newest ? { newest } : {}))).agents;
  }

  async install(agent: string, { reinstall, onProgress }: InstallOptions) {
    const answer = await this.#ask((client) => client.installAgent(agent, { reinstall }, { onProgress }));
    this.#modes.delete(agent);
    return answer;
  }

  modes(agent: string) {
    return once(this.#modes, agent, () => this.#ask((client) => client.getAgentModes(agent)));
  }

  models(agent: string) {
    return this.#ask((client) => client.getAgentModels(agent));
  }

  /** Refuse an agent or a mode that does not exist, before a session is made with it. */
  async check({ agent, agentMode }: Pick<CreateSessionRequest, "agent" | "agentMode">): Promise<void> {
    this.#known ??= this.list().catch((error: unknown) => {
      this.#known = undefined;
      throw error;
    });
    const agents = (await this.#known).map(({ id }) => id);
    if (!agents.includes(agent)) {
      const sentence = `There is no agent "${agent}". This runtime has: ${agents.join(", ")}.`;
      throw new SandboxError("unsupported_agent", sentence, { agent });
    }
    if (!agentMode || agentMode === defaultMode) return;
    const modes = (await this.modes(agent)).modes.map(({ id }) => id);
    if (modes.includes(agentMode)) return;
    const message = `${agent} has no agentMode "${agentMode}". It has: ${modes.join(", ")}.`;
    throw new SandboxError("mode_not_supported", message, {
      agent,
      details: { issues: [{ path: "agentMode", message }] },
    });
  }

  /** Its program is there for every sandbox. */
  ensureInstalled(agent: string): Promise<void> {
    return once(this.#installed, agent, async () => {
      await this.install(agent, { reinstall: false });
      await this.preparePrograms();
    });
  }

  /** An agent without a program leaves no directory for them, and sandboxes are given it all the same. */
  async preparePrograms(): Promise<void> {
    await mkdir(this.programs, { recursive: true, mode: 0o700 });
  }

  async close(): Promise<void> {
    await (await this.#daemon?.catch(() => undefined))?.dispose();
  }

  /** A daemon that was killed is made up for. */
  async #ask<T>(question: (client: SandboxAgent) => Promise<T>): Promise<T> {
    const daemon = this.#running();
    try {
      return await question(await daemon);
    } catch (error) {
      if (await isAlive(daemon)) throw asSandboxError(error);
      if (this.#daemon === daemon) this.#daemon = undefined;
    }
    try {
      return await question(await this.#running());
    } catch (error) {
      throw asSandboxError(error);
    }
  }

  #running(): Promise<SandboxAgent> {
    this.#daemon ??= this.#start();
    return this.#daemon;
  }

  async #start(): Promise<SandboxAgent> {
    const { program, dataDir, env } = this.#options;
    const [patience, deadline] = [Date.now() + predecessorGraceMs, Date.now() + predecessorMs];
    while (true) {
      try {
        return await SandboxAgent.start({ spawn: { binaryPath: program, dataDir, env } });
      } catch (error) {
        const isTaken = error instanceof SandboxAgentError && error.message.includes("is in use by");
        if (!isTaken || Date.now() > deadline) throw error;
        if (Date.now() > patience) endDaemon(Number(/with pid (\d+)/.exec(error.message)?.[1]), dataDir);
        await delay(lookAgainMs);
      }
    }
  }
}

async function isAlive(daemon: Promise<SandboxAgent>): Promise<boolean> {
  try {
    return (await (await daemon).getHealth()).status === "ok";
  } catch {
    return false;
  }
}

/** Only one runtime is on this directory at a time, so that whoever else has it is a left-over. */
function endDaemon(pid: number, dataDir: string): void {
  try {
    const isOurs = readFileSync(`/proc/${pid}/environ`, "utf8")
      .split("\0")
      .includes(`SANDBOX_AGENT_DATA_DIR=${dataDir}`);
    if (isOurs) process.kill(pid, "SIGKILL");
  } catch {
    // It is gone, or cannot be looked at here.
  }
}

/** The answer to a question that is asked once, unless it fails. */
function once<T>(answers: Map<string, Promise<T>>, key: string, ask: () => Promise<T>): Promise<T> {
  const known = answers.get(key);
  if (known) return known;
  const asked = ask();
  answers.set(key, asked);
  asked.catch(() => answers.delete(key));
  return asked;
}

/** What a daemon answered, passed on as it is; that it did not answer, in a sentence. */
export function asSandboxError(error: unknown): unknown {
  if (!(error instanceof SandboxAgentError)) return error;
  if (!error.problem) {
    return new SandboxError("stream_error", `The daemon in the sandbox did not answer: ${error.message}`, {
      cause: error,
    });
  }
  const { type, detail, title, agent, sessionId, details } = error.problem;
  const code = type.split(":").at(-1) as SandboxError["code"];
  return new SandboxError(code, detail ?? title, {
    ...(agent ? { agent } : {}),
    ...(sessionId ? { sessionId } : {}),
    ...(details ? { details } : {}),
    cause: error,
  });
}
