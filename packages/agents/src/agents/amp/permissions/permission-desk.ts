import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parsed, record } from "../convert/json.ts";
import type { ToolUse } from "./permission-policy.ts";

/** The signal is aborted when whoever asked has gone. */
export type Ask = (use: ToolUse, gone: AbortSignal) => Promise<Answer>;

export type Answer = "allow" | { readonly refuse: string };

/** Longer names of sockets are cut off by some systems. */
const LONGEST_PATH_BYTES = 100;

/** Where the helpers of one session come with their questions; each is one connection, answered with one word or a reason. */
export class PermissionDesk {
  readonly path: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #ownDirectory: string | undefined;

  private constructor(path: string, ownDirectory: string | undefined, ask: Ask) {
    this.path = path;
    this.#ownDirectory = ownDirectory;
    this.#server = createServer((socket) => this.#take(socket, ask));
  }

  static async open(directory: string, ask: Ask): Promise<PermissionDesk> {
    const wanted = join(directory, "ask.sock");
    const isLong = Buffer.byteLength(wanted) > LONGEST_PATH_BYTES;
    const own = isLong ? await mkdtemp(join(tmpdir(), "amp-")) : undefined;
    const path = own === undefined ? wanted : join(own, "ask.sock");
    await rm(path, { force: true });
    const desk = new PermissionDesk(path, own, ask);
    desk.#server.listen(path);
    await once(desk.#server, "listening");
    desk.#server.unref();
    return desk;
  }

  /** Whoever still waits gets no answer, which is a refusal. */
  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (this.#server.listening) {
      this.#server.close();
      await once(this.#server, "close");
    }
    if (this.#ownDirectory !== undefined) await rm(this.#ownDirectory, { recursive: true, force: true });
  }

  #take(socket: Socket, ask: Ask): void {
    let text = "";
    const gone = new AbortController();
    this.#sockets.add(socket);
    socket.on("close", () => {
      this.#sockets.delete(socket);
      gone.abort();
    });
    // A helper that was ended closes both ways; one that waits closes none.
    socket.on("end", () => socket.destroy());
    socket.on("error", () => socket.destroy());
    socket.setEncoding("utf8");
    socket.on("data", (piece: string) => {
      const before = text;
      text += piece;
      if (before.includes("\n") || !text.includes("\n")) return;
      void ask(useOf(text), gone.signal).then((answer) => socket.end(answer === "allow" ? answer : answer.refuse));
    });
  }
}

function useOf(line: string): ToolUse {
  const { tool, input } = record(parsed(line));
  return { tool: String(tool), input: record(parsed(String(input))) };
}
