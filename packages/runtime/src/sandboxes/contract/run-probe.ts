import { setTimeout as sleep } from "node:timers/promises";
import type { Sandbox } from "../sandbox-provider.ts";

/** What a program sees from inside of a sandbox. */
export interface Probe {
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  readonly uid: number;
  readonly cwd: string;
  /** Command lines of all processes that are visible. */
  readonly processes: readonly string[];
  /** Whether each of the files asked for can be read. */
  readonly readable: readonly boolean[];
  /** `ok`, or the code of the error, of writing into each of the directories asked for. */
  readonly writable: readonly string[];
  /** `ok`, or the code of the error, of a connection to the port asked for, on loopback. */
  readonly connection: string | undefined;
  /** The effective capabilities of Linux, as it writes them. */
  readonly capabilities: string | undefined;
}

export interface ProbeQuestions {
  readonly read?: readonly string[];
  readonly write?: readonly string[];
  readonly connect?: number;
}

const mark = "PROBE ";

const program = `
const { readFileSync, readdirSync, rmSync, writeFileSync } = require("node:fs");
const { read = [], write = [], connect } = JSON.parse(process.env.PROBE_QUESTIONS);
const attempt = (work, otherwise) => { try { return work(); } catch (error) { return otherwise(error); } };
const processes = attempt(() => readdirSync("/proc").filter(Number), () => []).map((pid) =>
  attempt(() => readFileSync("/proc/" + pid + "/cmdline", "utf8").replaceAll("\\0", " ").trim(), () => ""));
const tryWrite = (directory) => attempt(() => {
  writeFileSync(directory + "/probe-trial", "");
  rmSync(directory + "/probe-trial");
  return "ok";
}, (error) => error.code);
const connected = () => new Promise((resolve) => {
  if (connect === undefined) return resolve(undefined);
  const socket = require("node:net").connect(connect, "127.0.0.1");
  socket.once("connect", () => (socket.destroy(), resolve("ok"))).once("error", (error) => resolve(error.code));
});
(async () => {
  const answer = {
    env: process.env, args: process.argv, uid: process.getuid(), cwd: process.cwd(), processes,
    readable: read.map((path) => attempt(() => (readFileSync(path), true), () => false)),
    writable: write.map(tryWrite),
    connection: await connected(),
    capabilities: attempt(() => /^CapEff:\\s*(\\w+)/m.exec(readFileSync("/proc/self/status", "utf8"))[1], () => undefined),
  };
  process.stderr.write("${mark}" + JSON.stringify(answer) + "\\n");
})();
`;

/** Run a program in the daemon's place that looks around and says what it found to its standard error. */
export async function runProbe(sandbox: Sandbox, questions: ProbeQuestions = {}, env = {}): Promise<Probe> {
  const path = `${sandbox.paths.workspace}/probe.cjs`;
  await sandbox.write([{ path, data: Buffer.from(program) }]);
  await sandbox.start([path], { PROBE_QUESTIONS: JSON.stringify(questions), ...env });
  for (;;) {
    // What is behind the last newline may be the beginning of a line.
    const lines = (await sandbox.logs(1_000_000)).split("\n").slice(0, -1);
    const line = lines.find((text) => text.startsWith(mark));
    if (line !== undefined) return JSON.parse(line.slice(mark.length)) as Probe;
    const { state, why } = await sandbox.status();
    const isOver = state === "gone" || (state === "failed" && !why?.includes("exit code 0"));
    if (isOver) throw new Error(`${why}\n${await sandbox.logs(4_000)}`);
    await sleep(20);
  }
}
