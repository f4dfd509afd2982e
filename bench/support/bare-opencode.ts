import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";

/** An `opencode serve` driven by hand: what a turn costs without us. */
export class BareOpencode {
  readonly #process: ChildProcessByStdio<null, Readable, null>;
  readonly #directory: string;
  #url = "";
  #sessionId = "";
  #events!: AsyncIterator<string>;

  constructor(program: string, env: Readonly<Record<string, string>>, directory: string) {
    const args = ["serve", "--hostname", "127.0.0.1", "--port", "0"];
    this.#process = spawn(program, args, { cwd: directory, env, stdio: ["ignore", "pipe", "ignore"] });
    this.#directory = directory;
  }

  async open(): Promise<void> {
    this.#url = await this.#address();
    const { body } = await fetch(`${this.#url}/global/event`);
    this.#events = createInterface(Readable.fromWeb(body as never))[Symbol.asyncIterator]();
    const permission = [{ permission: "*", pattern: "*", action: "allow" }];
    const { id } = (await (await this.#post("/session", { title: "bench", permission })).json()) as { id: string };
    this.#sessionId = id;
  }

  async turn(text: string): Promise<void> {
    await this.#post(`/session/${this.#sessionId}/prompt_async`, { parts: [{ type: "text", text }], agent: "build" });
    await this.#until((line) => line.includes('"type":"session.idle"') && line.includes(this.#sessionId));
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, "exit");
    this.#process.kill();
    await exited;
  }

  async #address(): Promise<string> {
    for await (const line of createInterface(this.#process.stdout)) {
      const address = /listening on (http:\S+)/.exec(line)?.[1];
      if (address !== undefined) return address;
    }
    throw new Error("OpenCode did not start.");
  }

  #post(path: string, body: object): Promise<Response> {
    return fetch(`${this.#url}${path}?directory=${encodeURIComponent(this.#directory)}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }

  async #until(isIt: (line: string) => boolean): Promise<void> {
    for (;;) {
      const { value, done } = await this.#events.next();
      if (done) throw new Error("OpenCode ended in the middle of a turn.");
      if (isIt(value)) return;
    }
  }
}
