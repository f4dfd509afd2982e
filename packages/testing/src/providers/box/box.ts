import type { Duplex } from "node:stream";

/**
 * A machine as far as one computer has them: a directory that is its disk, a tree of processes that sees nothing else, and
 * ports of its own. Made by `BoxHost`; what fake services offer as a sandbox, a pod or a container.
 *
 * It is a bubblewrap jail: the root directory is the box's own (what is written stays until it is destroyed), `/usr` is this
 * machine's and read-only, process 1 is a small program that runs what it is told over a socket, and the network is a loopback
 * of its own. Its user is `user`, without rights. It ends with the process that made it.
 */
export interface Box {
  readonly id: string;
  /** `frozen`: stands still with its memory. `stopped`: only the disk is left. */
  readonly state: "running" | "frozen" | "stopped" | "destroyed";
  /** Resolves when the process was started. */
  exec(command: readonly string[], options?: BoxExecOptions): Promise<BoxProcess>;
  /** Run to the end. */
  run(command: readonly string[], options?: BoxExecOptions): Promise<BoxOutcome>;
  /** As the box's user; parents are made; a file that is there is replaced. */
  write(path: string, data: Uint8Array | AsyncIterable<Uint8Array>, mode?: number): Promise<void>;
  /** Undefined where no file is. */
  read(path: string): Promise<Buffer | undefined>;
  /** A connection to a port inside; rejects with the code `ECONNREFUSED` where nobody listens. */
  connect(port: number): Promise<Duplex>;
  /** A port of this machine's loopback that leads to one of the box, the same for each call; 502 is the service's business. */
  publish(port: number): Promise<number>;
  /** Make a port of this machine's loopback reachable inside, at the same place. */
  reach(port: number): Promise<void>;
  /** Everything stands still, with its memory; and goes on. Idempotent. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  /** Every process is ended, the disk stays; and it is started again, with none of them. Idempotent. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** When `then` is called, unless another deadline is set before; undefined: never. */
  setDeadline(at: number | undefined, then: () => void): void;
  readonly deadline: number | undefined;
  /** Nothing is left of it. Idempotent. */
  destroy(): Promise<void>;
  /** Processes of it on this machine, as this machine numbers them. */
  processes(): readonly BoxProcessInfo[];
  /** What is there of it: processes and its directory; one line each. Empty after `destroy`. */
  leftovers(): readonly string[];
}

export interface BoxExecOptions {
  /** Added to the box's own. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd?: string | undefined;
  /** Written to its standard input, which is closed then; without it there is an open one that `BoxProcess.stdin` writes to. */
  readonly input?: string | Uint8Array | undefined;
  /** It goes on when this process lets go of it, and its output goes nowhere. */
  readonly detached?: boolean | undefined;
}

export interface BoxProcess {
  /** As the box numbers it. */
  readonly pid: number;
  readonly stdout: AsyncIterable<Buffer>;
  readonly stderr: AsyncIterable<Buffer>;
  writeStdin(data: Uint8Array | string): void;
  closeStdin(): void;
  /** To the process alone, or to its whole group. */
  kill(signal?: NodeJS.Signals, group?: boolean): void;
  /** Never rejects: a box that ends has ended its processes with SIGKILL. */
  readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

export interface BoxOutcome {
  /** 128 and the number of the signal, where one ended it. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface BoxProcessInfo {
  readonly pid: number;
  readonly command: string;
}

export interface BoxOptions {
  /** Part of no path: anything the service gives its machines. */
  readonly id: string;
  /** Where its user lives; made, and where commands start. */
  readonly home: string;
  /** Default: `user`. */
  readonly user?: string | undefined;
  /** Default: 1000. With 0 it is root inside, without any of its rights outside. */
  readonly uid?: number | undefined;
  /** Of all processes; `HOME`, `USER` and `PATH` are there. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Directories that its user may write to, besides the home and those for temporary files. Made; root needs none. */
  readonly writable?: readonly string[] | undefined;
  /** Directories of this machine to be had inside, read-only, by their place inside. */
  readonly mounts?: Readonly<Record<string, string>> | undefined;
  /** See `reach`. */
  readonly reachable?: readonly number[] | undefined;
  /** Programs that it does not have, e.g. `node`, although this machine does. */
  readonly without?: readonly string[] | undefined;
}
