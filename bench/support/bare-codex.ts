import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { threadParams, turnParams } from "../../packages/agents/src/agents/codex/thread-settings.ts";
import { bareSession } from "./bare-session.ts";

const args = ["app-server", "-c", "features.plugins=false", "-c", "analytics.enabled=false"];

interface Line {
  id?: number;
  method?: string;
  result?: { thread?: { id: string }; model?: string };
}

/** A `codex app-server` driven by hand, with the settings we give it: what a turn costs without us. */
export class BareCodex {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  #threadId = "";
  #settings: object = {};
  #requests = 0;

  constructor(program: string, env: Readonly<Record<string, string>>, cwd: string) {
    this.#process = spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "ignore"] });
    this.#lines = createInterface(this.#process.stdout)[Symbol.asyncIterator]();
  }

  async open(cwd: string): Promise<void> {
    const session = bareSession(cwd);
    const clientInfo = { name: "bench", title: "bench", version: "1" };
    await this.#request("initialize", { clientInfo, capabilities: { experimentalApi: true } });
    this.#send({ method: "initialized" });
    const { result } = await this.#request("thread/start", threadParams(session, undefined));
    this.#threadId = result!.thread!.id;
    this.#settings = turnParams(session, session.permissionMode, result!.model!, false);
  }

  async turn(message: string): Promise<void> {
    const input = [{ type: "text", text: message }];
    await this.#request("turn/start", { threadId: this.#threadId, input, ...this.#settings });
    await this.#until((line) => line.method === "turn/completed");
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, "exit");
    this.#process.stdin.end();
    await exited;
  }

  async #request(method: string, params: object): Promise<Line> {
    this.#requests += 1;
    const id = this.#requests;
    this.#send({ id, method, params });
    return this.#until((line) => line.id === id && line.method === undefined);
  }

  #send(line: object): void {
    this.#process.stdin.write(`${JSON.stringify(line)}\n`);
  }

  async #until(isIt: (line: Line) => boolean): Promise<Line> {
    while (true) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error("Codex ended in the middle of a turn.");
      const line = JSON.parse(value) as Line;
      if (isIt(line)) return line;
    }
  }
}
