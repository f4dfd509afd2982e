import { existsSync, rmSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import type { Box, BoxExecOptions, BoxOptions, BoxOutcome, BoxProcess, BoxProcessInfo } from "./box.ts";
import { BoxPorts } from "./box-ports.ts";
import { Deadline } from "./deadline.ts";
import { Jail } from "./jail.ts";
import { type JailPlan, pathInside } from "./jail-arguments.ts";
import { JailedProcess } from "./jailed-process.ts";
import { frame, frameReader, frames } from "./messages.ts";
import { removeFolder } from "./remove-folder.ts";

export interface JailedBoxProps {
  readonly options: BoxOptions;
  readonly bubblewrap: string;
  /** All of the box that is on disk; removed with it. */
  readonly folder: string;
  readonly plan: JailPlan;
  readonly onDestroyed: () => void;
}

export class JailedBox implements Box {
  readonly id: string;
  readonly #props: JailedBoxProps;
  readonly #env: Readonly<Record<string, string>>;
  readonly #ports: BoxPorts;
  readonly #connections = new Set<Duplex>();
  readonly #deadline = new Deadline();
  #state: Box["state"] = "stopped";
  #jail: Jail | undefined;
  #turn: Promise<void> = Promise.resolve();
  #destroyed: Promise<void> | undefined;

  private constructor(props: JailedBoxProps) {
    const { id, home, user = "user", uid, env, without = [] } = props.options;
    const name = uid === 0 ? "root" : user;
    this.id = id;
    this.#props = props;
    this.#env = { HOME: home, USER: name, LOGNAME: name, PATH: pathInside(!without.includes("node")), ...env };
    this.#ports = new BoxPorts((port) => this.connect(port));
    for (const port of props.options.reachable ?? []) this.#ports.allow(port);
  }

  static async create(props: JailedBoxProps): Promise<JailedBox> {
    const box = new JailedBox(props);
    try {
      await box.#ports.openWayOut(join(props.plan.io, "out"));
      await box.start();
      return box;
    } catch (error) {
      await box.destroy();
      throw error;
    }
  }

  get state(): Box["state"] {
    return this.#state;
  }

  get deadline(): number | undefined {
    return this.#deadline.at;
  }

  setDeadline(at: number | undefined, then: () => void): void {
    if (this.#state !== "destroyed") this.#deadline.set(at, then);
  }

  async exec(command: readonly string[], options: BoxExecOptions = {}): Promise<BoxProcess> {
    const { env, cwd = this.#props.options.home, input, detached = false } = options;
    if (command.length === 0) throw new Error("Name the program to run.");
    const jail = this.#running();
    const socket = jail.open({ do: "exec", command, env: { ...this.#env, ...env }, cwd, detached });
    const { pid } = await jail.reply(socket);
    const started = new JailedProcess(pid!, socket, (of, signal, group) => {
      const request = jail.open({ do: "kill", pid: of, signal, group });
      jail.reply(request).then(
        () => request.destroy(),
        () => {},
      );
    });
    if (input !== undefined) {
      if (input.length > 0) started.writeStdin(input);
      started.closeStdin();
    }
    return started;
  }

  async run(command: readonly string[], options: BoxExecOptions = {}): Promise<BoxOutcome> {
    const { stdout, stderr, exited } = await this.exec(command, { input: "", ...options });
    const [out, err, { code, signal }] = await Promise.all([textOf(stdout), textOf(stderr), exited]);
    return { code: code ?? 128 + constants.signals[signal ?? "SIGKILL"], stdout: out, stderr: err };
  }

  async write(path: string, data: Uint8Array | AsyncIterable<Uint8Array>, mode = 0o644): Promise<void> {
    const jail = this.#running();
    const socket = jail.open({ do: "write", path, mode });
    const replied = jail.reply(socket);
    const parts = data instanceof Uint8Array ? [data] : data;
    const sent = (async () => {
      for await (const part of parts) {
        if (socket.destroyed) return;
        if (!socket.write(frame(frames.stdin, part))) await drained(socket);
      }
      socket.write(frame(frames.stdinEnd, Buffer.alloc(0)));
    })();
    // A refusal ends the sending, and a source that breaks ends the connection.
    sent.catch(() => socket.destroy());
    try {
      await Promise.race([replied, sent.then(() => replied)]);
    } catch (error) {
      replied.catch(() => {});
      throw error;
    } finally {
      socket.destroy();
    }
  }

  async read(path: string): Promise<Buffer | undefined> {
    const jail = this.#running();
    const socket = jail.open({ do: "read", path });
    const { isMissing } = await jail.reply(socket);
    let isWhole = false;
    const parts: Buffer[] = [];
    const take = frameReader((kind, data) => {
      if (kind === frames.stdoutEnd) isWhole = true;
      else parts.push(data);
    });
    if (isMissing !== true) for await (const chunk of socket as AsyncIterable<Buffer>) take(chunk);
    socket.destroy();
    if (isMissing === true) return undefined;
    if (!isWhole) throw new Error(`The box ended while ${path} was read.`);
    return Buffer.concat(parts);
  }

  async connect(port: number): Promise<Duplex> {
    const jail = this.#jail;
    if (jail === undefined) {
      const code = "ECONNREFUSED";
      throw Object.assign(new Error(`connect ${code}: the box ${this.id} is ${this.#state}.`), { code });
    }
    const socket = jail.open({ do: "connect", port });
    this.#connections.add(socket);
    socket.once("close", () => this.#connections.delete(socket));
    await jail.reply(socket);
    return socket;
  }

  publish(port: number): Promise<number> {
    return this.#ports.publish(port);
  }

  async reach(port: number): Promise<void> {
    if (this.#ports.reachable.includes(port)) return;
    this.#ports.allow(port);
    if (this.#jail) await this.#lead(this.#jail, port);
  }

  freeze(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#state === "frozen") return;
      const { processes } = this.#running();
      this.#state = "frozen";
      await processes.freeze();
    });
  }

  thaw(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#state === "running") return;
      if (this.#state !== "frozen") throw this.#refusal();
      this.#jail?.processes.thaw();
      this.#state = "running";
    });
  }

  stop(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#state === "destroyed") throw this.#refusal();
      await this.#jail?.end();
    });
  }

  start(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#state === "running") return;
      if (this.#state !== "stopped") throw this.#refusal();
      const { bubblewrap, plan } = this.#props;
      rmSync(join(plan.io, "in"), { force: true });
      const jail = await Jail.start(bubblewrap, plan);
      this.#jail = jail;
      this.#state = "running";
      void jail.ended.then(() => {
        this.#jail = undefined;
        if (this.#state !== "destroyed") this.#state = "stopped";
        for (const connection of this.#connections) connection.destroy();
      });
      await Promise.all(this.#ports.reachable.map((port) => this.#lead(jail, port)));
    });
  }

  destroy(): Promise<void> {
    this.#destroyed ??= this.#inTurn(async () => {
      this.#state = "destroyed";
      this.#deadline.set(undefined, () => {});
      this.#ports.close();
      await this.#jail?.end();
      await removeFolder(this.#props.folder);
      this.#props.onDestroyed();
    });
    return this.#destroyed;
  }

  processes(): readonly BoxProcessInfo[] {
    return this.#jail?.processes.all ?? [];
  }

  leftovers(): readonly string[] {
    const { folder } = this.#props;
    const processes = this.processes().map(({ pid, command }) => `process ${pid}: ${command}`);
    return [...processes, ...(existsSync(folder) ? [`directory ${folder}`] : [])];
  }

  async #lead(jail: Jail, port: number): Promise<void> {
    const socket = jail.open({ do: "reach", port });
    await jail.reply(socket);
    socket.destroy();
  }

  #running(): Jail {
    if (this.#jail === undefined || this.#state !== "running") throw this.#refusal();
    return this.#jail;
  }

  #refusal(): Error {
    return new Error(`The box ${this.id} is ${this.#state}.`);
  }

  /** Changes of its state, one after the other. */
  #inTurn(change: () => Promise<void>): Promise<void> {
    const changed = this.#turn.then(change);
    this.#turn = changed.catch(() => {});
    return changed;
  }
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function drained(socket: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off("drain", done).off("close", done);
      resolve();
    };
    socket.on("drain", done).on("close", done);
  });
}
