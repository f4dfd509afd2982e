import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AgentAdapter, AgentHost, SessionConfig } from "../agent.ts";
import { cacheDirectory } from "../install/cache-directory.ts";
import { ensureProgram } from "../install/index.ts";
import { binaryVariable } from "../install/locate-program.ts";
import type { AgentProcess } from "../process/agent-process.ts";
import { createSupervisor } from "../process/supervisor.ts";
import type { AgentScenario, ProvokingMessage } from "./agent-scenario.ts";
import { silent } from "./harness-world.ts";
import { type LineKeeper, lineKeeper } from "./keep-lines.ts";
import { type MarkedProcess, markedProcesses } from "./marked-processes.ts";
import type { ModelWitness } from "./model-script.ts";
import { scriptOf } from "./script-of.ts";
import { testedVersion } from "./tested-version.ts";

/** Enough for a second try of any agent, and short enough to be waited for. */
const RETRY_MS = "6000";

/** All that surrounds one agent in the suite: a home, a supervisor, and what the scenario prepared. */
export interface ContractWorld {
  readonly host: AgentHost;
  readonly session: Partial<SessionConfig>;
  readonly model: ModelWitness | undefined;
  readonly lines: LineKeeper;
  /** The agent's program where it is missing, from a cache that outlives the tests; where another version is to be tested, that. */
  installProgramOf(adapter: AgentAdapter): Promise<void>;
  /** A new directory for a session, with these files. */
  makeDirectory(files: ProvokingMessage["files"]): Promise<string>;
  /** Writes into the agent's home; the answer puts back what was there. */
  changeHome(files: Readonly<Record<string, string>>): Promise<() => Promise<void>>;
  /** What runs now of all that was started. */
  processes(): Promise<MarkedProcess[]>;
  /** `kill -9` for the programs the adapter started; resolves when it can know. */
  killPrograms(): Promise<void>;
  dispose(): Promise<void>;
}

export async function makeContractWorld(scenario: AgentScenario): Promise<ContractWorld> {
  const root = await mkdtemp(join(tmpdir(), "agent-contract-"));
  const [home, dataDir, work] = [join(root, "home"), join(root, "data"), join(root, "work")];
  await Promise.all([home, dataDir, work].map((path) => mkdir(path)));
  const prepared = (await scenario.prepare?.({ home, script: scriptOf(scenario) })) ?? {};
  const owner = randomUUID();
  const supervisor = createSupervisor({ recordDir: null, owner, log: silent });
  const running = new Set<AgentProcess>();
  const installRoot = join(cacheDirectory(process.env), "programs");
  const lines = lineKeeper(process.env.SANDBOX_AGENT_KEEP_LINES);
  const env = { ...machineEnvironment(), HOME: home, SANDBOX_AGENT_RETRY_MS: RETRY_MS, ...prepared.env };
  const host: AgentHost = {
    env,
    dataDir,
    installRoot,
    log: silent,
    spawn: lines.watch((options) => {
      const program = supervisor.spawn(options);
      running.add(program);
      void program.exited.then(() => running.delete(program));
      return program;
    }),
  };
  return {
    host,
    lines,
    async installProgramOf({ program }) {
      if (!program) return;
      const version = testedVersion(program, process.env);
      const { path } = await ensureProgram(program, host, { version });
      if (version !== program.version) Object.assign(env, { [binaryVariable(program.name)]: path });
    },
    session: prepared.session ?? {},
    model: prepared.model,
    async makeDirectory(files = {}) {
      const directory = await mkdtemp(join(work, "session-"));
      await writeFiles(directory, files);
      return directory;
    },
    async changeHome(files) {
      const paths = Object.keys(files).map((name) => join(home, name));
      const before = await Promise.all(paths.map((path) => readFile(path).catch(() => null)));
      await writeFiles(home, files);
      return async () => {
        await Promise.all(
          before.map((bytes, at) => (bytes ? writeFile(paths[at]!, bytes) : rm(paths[at]!, { force: true }))),
        );
      };
    },
    processes: () => markedProcesses(owner),
    async killPrograms() {
      const programs = [...running].filter(({ pid }) => pid > 0);
      for (const { pid } of programs) process.kill(pid, "SIGKILL");
      await Promise.all(programs.map(({ exited }) => exited));
    },
    async dispose() {
      await supervisor.close();
      await prepared.dispose?.();
      await rm(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

async function writeFiles(folder: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

const inherited =
  /^(PATH|LANG|LC_\w+|TZ|TMPDIR|(npm_config|SANDBOX_AGENT)_\w+|\w+_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+)$/i;

/** How to run programs and where packages come from, but nothing of the person who runs the tests. */
function machineEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name, value]) => inherited.test(name) && value !== undefined);
  return {
    npm_config_userconfig: join(homedir(), ".npmrc"),
    ...(Object.fromEntries(kept) as Record<string, string>),
    SANDBOX_AGENT_CACHE_DIR: cacheDirectory(process.env),
  };
}
