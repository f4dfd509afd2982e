import type { Socket } from "node:net";

/*
 * How the two sides of a box speak: each connection starts with a line of JSON, which is answered by one. After it come the bytes
 * of a file or of a port, or frames. These functions run on both sides (see `inside-program.ts`): they use nothing but Node's globals.
 */

/** What a connection is for. */
export type BoxRequest =
  | {
      readonly do: "exec";
      readonly command: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      readonly cwd: string;
      readonly detached: boolean;
    }
  | { readonly do: "kill"; readonly pid: number; readonly signal: NodeJS.Signals; readonly group: boolean }
  | { readonly do: "connect"; readonly port: number }
  | { readonly do: "reach"; readonly port: number }
  | { readonly do: "read"; readonly path: string }
  | { readonly do: "write"; readonly path: string; readonly mode: number };

export interface BoxReply {
  readonly error?: { readonly code: string; readonly message: string };
  readonly pid?: number;
  readonly isMissing?: boolean;
}

/** The line in front; what follows it is still to be read, by whoever listens then: it is not paused. */
export function readLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen: Buffer = Buffer.alloc(0);
    const stop = () => {
      socket.off("readable", onReadable).off("end", onEnd).off("close", onEnd).off("error", onEnd);
    };
    const onEnd = (error?: unknown) => {
      stop();
      const ended = Object.assign(new Error("The box ended."), { code: "ECONNRESET" });
      reject(error instanceof Error ? error : ended);
    };
    const onReadable = () => {
      const chunk = socket.read() as Buffer | null;
      if (chunk === null) return;
      seen = Buffer.concat([seen, chunk]);
      const end = seen.indexOf("\n");
      if (end === -1) return;
      stop();
      if (end + 1 < seen.length) socket.unshift(seen.subarray(end + 1));
      resolve(seen.subarray(0, end).toString());
    };
    socket.on("readable", onReadable).on("end", onEnd).on("close", onEnd).on("error", onEnd);
  });
}

/** One byte of kind, four of length. */
export function frame(kind: number, data: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(kind, 0);
  head.writeUInt32BE(data.length, 1);
  return Buffer.concat([head, data]);
}

/** Takes what arrives, in pieces of any size. */
export function frameReader(onFrame: (kind: number, data: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= 5 && rest.length >= 5 + rest.readUInt32BE(1)) {
      const end = 5 + rest.readUInt32BE(1);
      const [kind, data] = [rest.readUInt8(0), rest.subarray(5, end)];
      rest = rest.subarray(end);
      onFrame(kind, data);
    }
  };
}

/** Kinds of frames. A file that is written is like a standard input, one that is read like a standard output. */
export const frames = { stdin: 0, stdinEnd: 1, stdout: 2, stdoutEnd: 3, stderr: 4, stderrEnd: 5, exit: 6 } as const;
