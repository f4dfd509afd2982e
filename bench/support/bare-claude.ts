import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { launchArgs, launchEnv } from "../../packages/agents/src/agents/claude/launch.ts";
import { bareSession } from "./bare-session.ts";

/** Claude Code driven by hand over its stdin, with the arguments we give it: what a turn costs without us. */
export class BareClaude {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor(program: string, env: Readonly<Record<string, string>>, cwd: string) {
    const session = bareSession(cwd);
    this.#process = spawn(program, launchArgs({ session, permissionMode: null }), {
      cwd,
      env: launchEnv(env, session),
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#lines = createInterface(this.#process.stdout)[Symbol.asyncIterator]();
  }

  /** Resolves when the agent says that it is idle again. */
  async turn(message: string): Promise<void> {
    this.#process.stdin.write(`${JSON.stringify({ type: "user", message: { role: "user", content: message } })}\n`);
    while (true) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error("Claude Code ended in the middle of a turn.");
      const line = JSON.parse(value) as { subtype?: string; state?: string };
      if (line.subtype === "session_state_changed" && line.state === "idle") return;
    }
  }

  async stop(): Promise<void> {
    const exited = once(this.#process, "exit");
    this.#process.stdin.end();
    await exited;
  }
}
