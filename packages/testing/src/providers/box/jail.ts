import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { type JailPlan, jailArguments } from "./jail-arguments.ts";
import { JailProcesses } from "./jail-processes.ts";
import { type BoxReply, type BoxRequest, readLine } from "./messages.ts";

/** One run of a box, from its start to the end of all its processes. */
export class Jail {
  readonly processes: JailProcesses;
  readonly ended: Promise<void>;
  readonly #outer: ChildProcess;
  readonly #first: number;
  readonly #door: string;

  private constructor(outer: ChildProcess, first: number, door: string) {
    this.#outer = outer;
    this.#first = first;
    this.#door = door;
    this.processes = new JailProcesses(first);
    this.ended = new Promise((resolve) => outer.once("exit", () => resolve()));
  }

  /** Resolves when it takes requests. */
  static async start(bubblewrap: string, plan: JailPlan): Promise<Jail> {
    const { jail, command } = jailArguments(plan);
    // What it is told on the command line everybody sees, also inside.
    const args = ["--args", "4", "--json-status-fd", "3", "--", ...command];
    const outer = spawn(bubblewrap, args, { env: {}, stdio: ["ignore", "pipe", "pipe", "pipe", "pipe"] });
    const [, stdout, stderr, status, told] = outer.stdio as [null, Readable, Readable, Readable, Writable];
    told.on("error", () => {}).end(jail.map((argument) => `${argument}\0`).join(""));
    let said = "";
    stderr.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-2_000);
    });
    const failed = new Promise<never>((_, reject) => {
      outer.once("error", reject);
      outer.once("close", () => reject(new Error(`bubblewrap could not start a box: ${said.trim()}${advice}`)));
    });
    const [line] = await Promise.race([Promise.all([firstLine(status), firstLine(stdout)]), failed]);
    status.resume();
    stdout.resume();
    failed.catch(() => {});
    return new Jail(outer, (JSON.parse(line) as { "child-pid": number })["child-pid"], join(plan.io, "in"));
  }

  /** A connection for a request. `reply` is to be awaited on it, for some requests after more was sent. */
  open(request: BoxRequest): Socket {
    const socket = connect({ path: this.#door, allowHalfOpen: true });
    // Who reads it finds out by its end.
    socket.on("error", () => socket.destroy());
    socket.write(`${JSON.stringify(request)}\n`);
    return socket;
  }

  async reply(socket: Socket): Promise<BoxReply> {
    const reply = JSON.parse(await readLine(socket)) as BoxReply;
    if (reply.error === undefined) return reply;
    socket.destroy();
    throw Object.assign(new Error(reply.error.message), { code: reply.error.code });
  }

  /** Everything in it ends with its process 1, at once. */
  async end(): Promise<void> {
    if (this.#outer.exitCode !== null || this.#outer.signalCode !== null) return;
    const exited = once(this.#outer, "exit");
    try {
      process.kill(this.#first, "SIGKILL");
    } catch {
      // It is over already.
    }
    await exited;
  }
}

const advice =
  "\nA box needs user namespaces: allow them (sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0) or be root.";

async function firstLine(stream: Readable): Promise<string> {
  let text = "";
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    text += chunk.toString();
    if (text.includes("\n")) break;
  }
  return text.slice(0, text.indexOf("\n"));
}
