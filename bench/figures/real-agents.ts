import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { say, startModel } from "@sandbox-agent-ts/testing/model";
import { compare, type Figure } from "../figure.ts";
import { agentProgram } from "../support/agent-program.ts";
import { BareClaude } from "../support/bare-claude.ts";
import { BareCodex } from "../support/bare-codex.ts";
import { type ChildServer, startCli, temporaryDirectory } from "../support/child-server.ts";
import { call, drain } from "../support/http-client.ts";
import { median, sideBySide } from "../support/statistics.ts";
import { timeOf } from "../support/time-of.ts";

const answer = { conversations: [{ when: {}, steps: [{ ...say("Hello from the model."), repeat: 1_000_000 }] }] };
const crowd = 20;
const warmTurns = 3;

export const claude: Figure = {
  name: "claude",
  work: "Claude Code, real, against a scripted model",
  measure: async ({ rounds }) => {
    const program = await agentProgram("claude");
    const model = await startModel({ script: answer });
    const home = temporaryDirectory();
    const env = {
      PATH: process.env.PATH!,
      HOME: home,
      ANTHROPIC_BASE_URL: model.anthropicUrl,
      ANTHROPIC_API_KEY: "scripted",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: "1",
      SANDBOX_AGENT_CLAUDE_BIN: program,
    };
    const daemon = await startCli(env);
    try {
      const open = async () => ({
        bare: new BareClaude(program, env, home),
        session: await newSession(daemon, "claude", home),
      });
      const later = await laterTurns(open, { pairs: rounds * 4, turns: 8 });
      const first = await sideBySide(
        rounds * 3,
        () => firstTurnOfBareClaude(program, env, home),
        () => firstTurn(daemon, "claude", home),
      );
      return [
        compare("a later turn", "ms", "bare CLI over stdin", later, { atMost: 1.05 }),
        compare("create and first turn", "ms", "bare spawn", first, { atMost: 1.1 }),
      ];
    } finally {
      await daemon.stop();
      await model.close();
    }
  },
};

export const codex: Figure = {
  name: "codex",
  work: "Codex, real, against a scripted model",
  measure: async ({ rounds }) => {
    const program = await agentProgram("codex");
    const model = await startModel({ script: answer });
    const home = temporaryDirectory();
    writeCodexConfig(home, model.openaiUrl);
    const env = { PATH: process.env.PATH!, HOME: home, SCRIPTED_KEY: "scripted", SANDBOX_AGENT_CODEX_BIN: program };
    const daemon = await startCli(env);
    try {
      const open = async () => {
        const bare = new BareCodex(program, { ...env, CODEX_HOME: copyOfHome(home, model.openaiUrl) }, home);
        await bare.open(home);
        return { bare, session: await newSession(daemon, "codex", home) };
      };
      const later = await laterTurns(open, { pairs: 1, turns: rounds * 4 });
      for (let n = 0; n < crowd; n++) await turn(await newSession(daemon, "codex", home));
      const processes = { ours: childrenOf(daemon.pid), floor: 1 };
      return [
        compare("a later turn", "ms", "bare app-server", later, { atMost: 1.1 }),
        compare(`processes for ${crowd} sessions`, "processes", "one for all", processes, { atMost: 1 }),
      ];
    } finally {
      await daemon.stop();
      await model.close();
    }
  },
};

/** An agent's program driven by hand. */
interface BareAgent {
  turn(message: string): Promise<void>;
  stop(): Promise<void>;
}

/** The same agent driven by hand and through us. */
interface Pair {
  readonly bare: BareAgent;
  /** The URL of our session. */
  readonly session: string;
}

/**
 * Turns of a conversation that is going on, driven by hand and through us. One process of a program is often a tenth
 * faster than the next, so an agent with a process per session is compared in several pairs.
 */
export async function laterTurns(
  open: () => Promise<Pair>,
  { pairs, turns }: { pairs: number; turns: number },
): Promise<{ ours: number; floor: number }> {
  const measured: { ours: number; floor: number }[] = [];
  for (let n = 0; n < pairs; n++) {
    const { bare, session } = await open();
    for (let warm = 0; warm < warmTurns; warm++) {
      await bare.turn("warm");
      await turn(session);
    }
    const bareTurn = () => timeOf(() => bare.turn("again"));
    measured.push(await sideBySide(turns, bareTurn, () => timeOf(() => turn(session))));
    await bare.stop();
    await call(session, "DELETE");
  }
  return { ours: median(measured.map(({ ours }) => ours)), floor: median(measured.map(({ floor }) => floor)) };
}

async function firstTurn(daemon: ChildServer, agent: string, directory: string): Promise<number> {
  return timeOf(async () => turn(await newSession(daemon, agent, directory)));
}

async function firstTurnOfBareClaude(program: string, env: Record<string, string>, cwd: string): Promise<number> {
  const start = performance.now();
  const bare = new BareClaude(program, env, cwd);
  await bare.turn("hello");
  const elapsed = performance.now() - start;
  await bare.stop();
  return elapsed;
}

let sessions = 0;

/** The URL of a session that nobody is asked about. */
export async function newSession(daemon: ChildServer, agent: string, directory: string): Promise<string> {
  sessions += 1;
  const session = `${daemon.url}/v1/sessions/${agent}-${sessions}`;
  await call(session, "POST", { agent, directory, permissionMode: "bypass" });
  return session;
}

export async function turn(base: string): Promise<void> {
  await drain(`${base}/messages/stream`, { message: "hello" });
}

function writeCodexConfig(home: string, url: string): void {
  const folder = join(home, ".codex");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.toml"), codexConfig(url));
}

/** Two app-servers on one home would write each other's databases. */
function copyOfHome(home: string, url: string): string {
  const folder = join(home, "bare-codex");
  mkdirSync(folder);
  writeFileSync(join(folder, "config.toml"), codexConfig(url));
  return folder;
}

function codexConfig(url: string): string {
  return `model = "gpt-5.5"
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "${url}"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
[features]
plugins = false
unbounded_connection_retries = false
`;
}

export function childrenOf(pid: number): number {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => {
      try {
        return Number(readFileSync(`/proc/${name}/stat`, "utf8").split(") ")[1]!.split(" ")[1]);
      } catch {
        return 0;
      }
    });
  return parents.filter((parent) => parent === pid).length;
}
