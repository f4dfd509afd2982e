import type { Socket } from "node:net";
import { Readable } from "node:stream";
import type { BoxProcess } from "./box.ts";
import { frame, frameReader, frames } from "./messages.ts";

const bufferBytes = 1024 * 1024;

type Exit = Awaited<BoxProcess["exited"]>;
type Kill = (pid: number, signal: NodeJS.Signals, group: boolean) => void;

/** A process in a box, at the end of the connection on which it was started. */
export class JailedProcess implements BoxProcess {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly exited: Promise<Exit>;
  readonly #socket: Socket;
  readonly #kill: Kill;

  constructor(pid: number, socket: Socket, kill: Kill) {
    this.pid = pid;
    this.#socket = socket;
    this.#kill = kill;
    // What nobody reads holds the process up, as a full pipe does; who has stopped reading lets everything pass.
    const output = () => new Readable({ highWaterMark: bufferBytes, read: resume }).once("close", resume);
    const resume = () => void socket.resume();
    const [stdout, stderr] = [output(), output()];
    this.stdout = stdout;
    this.stderr = stderr;
    this.exited = new Promise((resolve) => {
      const push = (stream: Readable, data: Buffer | null) => {
        if (stream.destroyed) return;
        const hasRoom = stream.push(data);
        if (!hasRoom && data !== null) socket.pause();
      };
      const take = frameReader((kind, data) => {
        if (kind === frames.stdout) push(stdout, data);
        else if (kind === frames.stderr) push(stderr, data);
        else if (kind === frames.stdoutEnd) push(stdout, null);
        else if (kind === frames.stderrEnd) push(stderr, null);
        else if (kind === frames.exit) resolve(JSON.parse(data.toString()) as Exit);
      });
      socket.on("data", take).resume();
      socket.once("end", () => socket.destroy());
      socket.once("close", () => {
        if (!stdout.readableEnded && !stdout.destroyed) stdout.push(null);
        if (!stderr.readableEnded && !stderr.destroyed) stderr.push(null);
        resolve({ code: null, signal: "SIGKILL" });
      });
    });
  }

  writeStdin(data: Uint8Array | string): void {
    this.#socket.write(frame(frames.stdin, Buffer.from(data)));
  }

  closeStdin(): void {
    this.#socket.write(frame(frames.stdinEnd, Buffer.alloc(0)));
  }

  kill(signal: NodeJS.Signals = "SIGTERM", group = false): void {
    this.#kill(this.pid, signal, group);
  }
}
