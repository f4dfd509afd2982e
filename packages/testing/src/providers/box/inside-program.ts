import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import * as messages from "./messages.ts";

/** Runs in the box with the names of its two sockets: the one where it is told what to do, and the way out. */
export const insideProgram = `(${inside})(require, { readLine: ${messages.readLine}, frame: ${messages.frame}, frameReader: ${messages.frameReader}, frames: ${JSON.stringify(messages.frames)} });\n`;

interface Requires {
  (name: "node:child_process"): typeof import("node:child_process");
  (name: "node:fs"): typeof import("node:fs");
  (name: "node:net"): typeof import("node:net");
  (name: "node:path"): typeof import("node:path");
}

/** Is turned into text: everything it uses comes in by its arguments. */
function inside(require: Requires, { readLine, frame, frameReader, frames }: typeof messages): void {
  const { spawn } = require("node:child_process");
  const fs = require("node:fs");
  const net = require("node:net");
  const { dirname } = require("node:path");
  const [, , door = "", wayOut = ""] = process.argv;
  const children = new Map<number, ChildProcess>();
  type Request<Kind> = Extract<messages.BoxRequest, { readonly do: Kind }>;

  process.umask(0o022);
  // Whatever goes wrong with one connection is no reason to end the box.
  process.on("uncaughtException", () => {});
  net
    .createServer({ allowHalfOpen: true }, (socket) => {
      socket.on("error", () => socket.destroy());
      readLine(socket)
        .then((line) => serve(socket, JSON.parse(line) as messages.BoxRequest))
        .catch((error: NodeJS.ErrnoException) => {
          socket.resume();
          const { code = "EIO", message } = error;
          socket.end(`${JSON.stringify({ error: { code, message } })}\n`);
        });
    })
    .listen(door, () => process.stdout.write("ready\n"));

  function serve(socket: Socket, request: messages.BoxRequest): Promise<void> {
    if (request.do === "exec") return exec(socket, request);
    if (request.do === "kill") return kill(socket, request);
    if (request.do === "connect") return connect(socket, request.port);
    if (request.do === "reach") return reach(socket, request.port);
    if (request.do === "read") return read(socket, request.path);
    return write(socket, request);
  }

  function reply(socket: Socket, answer: messages.BoxReply): void {
    socket.write(`${JSON.stringify(answer)}\n`);
  }

  async function exec(socket: Socket, { command, env, cwd, detached }: Request<"exec">): Promise<void> {
    const [program = "", ...args] = command;
    if (!fs.existsSync(cwd)) throw Object.assign(new Error(`There is no directory ${cwd}.`), { code: "ENOENT" });
    const child = spawn(program, args, { env, cwd, detached: true, stdio: detached ? "ignore" : "pipe" });
    await new Promise((resolve, reject) => child.once("spawn", resolve).once("error", reject));
    const pid = child.pid!;
    children.set(pid, child);
    reply(socket, { pid });
    const send = (kind: number, data: Uint8Array) => socket.write(frame(kind, data));
    const parts = [
      new Promise<void>((resolve) =>
        child.once("exit", (code, signal) => {
          children.delete(pid);
          send(frames.exit, Buffer.from(JSON.stringify({ code, signal })));
          resolve();
        }),
      ),
      ...(["stdout", "stderr"] as const).map(
        (name) =>
          new Promise<void>((resolve) => {
            const stream = child[name];
            const end = () => {
              send(frames[`${name}End`], Buffer.alloc(0));
              resolve();
            };
            if (stream === null) return end();
            stream.on("data", (data: Buffer) => {
              if (!send(frames[name], data)) stream.pause();
            });
            socket.on("drain", () => stream.resume());
            stream.once("close", end);
          }),
      ),
    ];
    const { stdin } = child;
    stdin?.on("error", () => {});
    stdin?.on("drain", () => socket.resume());
    const take = frameReader((kind, data) => {
      if (kind === frames.stdinEnd) stdin?.end();
      else if (stdin?.writable && !stdin.write(data)) socket.pause();
    });
    socket.on("data", take).resume();
    child.once("exit", () => socket.resume());
    await Promise.all(parts);
    socket.end();
  }

  function kill(socket: Socket, { pid, signal, group }: Request<"kill">): Promise<void> {
    if (group) process.kill(-pid, signal);
    else children.get(pid)?.kill(signal);
    socket.end("{}\n");
    return Promise.resolve();
  }

  async function connect(socket: Socket, port: number): Promise<void> {
    const inner = net.connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    await new Promise<void>((resolve, reject) => inner.once("connect", resolve).once("error", reject));
    reply(socket, {});
    join(socket, inner);
  }

  /** A port that leads out. */
  async function reach(socket: Socket, port: number): Promise<void> {
    const server = net.createServer({ allowHalfOpen: true }, (inner) => {
      const outer = net.connect({ path: wayOut, allowHalfOpen: true });
      outer.write(`${port}\n`);
      join(inner, outer);
    });
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(port, "127.0.0.1", resolve);
    });
    socket.end("{}\n");
  }

  function join(one: Socket, other: Socket): void {
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      from.on("error", () => to.destroy());
      from.once("close", () => to.destroySoon());
      from.pipe(to);
    }
  }

  async function read(socket: Socket, path: string): Promise<void> {
    const handle = await fs.promises.open(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
    });
    if (handle === undefined) return void socket.end(`${JSON.stringify({ isMissing: true })}\n`);
    const stats = await handle.stat();
    if (stats.isDirectory()) {
      await handle.close();
      throw Object.assign(new Error(`${path} is a directory.`), { code: "EISDIR" });
    }
    reply(socket, {});
    try {
      for await (const data of handle.createReadStream() as AsyncIterable<Buffer>) {
        if (!socket.write(frame(frames.stdout, data))) await new Promise((resolve) => socket.once("drain", resolve));
      }
      socket.end(frame(frames.stdoutEnd, Buffer.alloc(0)));
    } catch {
      socket.destroy();
    }
  }

  async function write(socket: Socket, { path, mode }: Request<"write">): Promise<void> {
    fs.mkdirSync(dirname(path), { recursive: true });
    const temporary = `${path}.${process.hrtime.bigint()}.new`;
    const handle = await fs.promises.open(temporary, "wx");
    try {
      let isWhole = false;
      const arrived: Buffer[] = [];
      const take = frameReader((kind, data) => {
        if (kind === frames.stdinEnd) isWhole = true;
        else arrived.push(data);
      });
      for await (const chunk of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        take(chunk);
        for (const data of arrived.splice(0)) await handle.writeFile(data);
        if (isWhole) break;
      }
      if (!isWhole) throw new Error(`${path} was not written to its end.`);
      await handle.chmod(mode);
      fs.renameSync(temporary, path);
    } catch (error) {
      fs.rmSync(temporary, { force: true });
      throw error;
    } finally {
      await handle.close();
    }
    socket.end("{}\n");
  }
}
