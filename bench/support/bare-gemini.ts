import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

interface Line {
  id?: number;
  method?: string;
  result?: { sessionId?: string };
}

/** A `gemini --acp` driven by hand: what a turn costs without us. */
export class BareGemini {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  readonly #directory: string;
  #sessionId = "";
  #requests = 0;

  constructor(program: string, env: Readonly<Record<string, string>>, directory: string) {
    this.#process = spawn(program, ["--acp"], { cwd: directory, env, stdio: ["pipe", "pipe", "ignore"] });
    this.#lines = createInterface(this.#process.stdout)[Symbol.asyncIterator]();
    this.#directory = directory;
  }

  async open(): Promise<void> {
    await this.#request("initialize", { protocolVersion: 1, clientCapabilities: {} });
    const { result } = await this.#request("session/new", { cwd: this.#directory, mcpServers: [] });
    this.#sessionId = result!.sessionId!;
    await this.#request("session/set_mode", { sessionId: this.#sessionId, modeId: "yolo" });
  }

  async turn(text: string): Promise<void> {
    await this.#request("session/prompt", { sessionId: this.#sessionId, prompt: [{ type: "text", text }] });
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, "exit");
    this.#process.stdin.end();
    await exited;
  }

  async #request(method: string, params: object): Promise<Line> {
    this.#requests += 1;
    const id = this.#requests;
    this.#process.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    for (;;) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error("Gemini CLI ended in the middle of a turn.");
      const line = JSON.parse(value) as Line;
      if (line.id === id && line.method === undefined) return line;
    }
  }
}
