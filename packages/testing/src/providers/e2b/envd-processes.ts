import type { Box, BoxProcess } from "../box/box.ts";

/** As the protocol of envd has it. */
export interface ProcessConfig {
  readonly cmd: string;
  readonly args?: readonly string[];
  readonly envs?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export type ProcessEvent =
  | { readonly start: { readonly pid: number } }
  | { readonly data: { readonly stdout?: string; readonly stderr?: string } }
  | { readonly end: ProcessEnd };

interface ProcessEnd {
  readonly exitCode: number;
  readonly exited: boolean;
  readonly status: string;
  readonly error?: string;
}

/** A command that envd started. It goes on when nobody listens. */
export class EnvdProcess {
  readonly config: ProcessConfig;
  readonly process: BoxProcess;
  /** Never rejects. */
  readonly ended: Promise<void>;
  readonly #listeners = new Set<(event: ProcessEvent) => void>();

  constructor(config: ProcessConfig, process: BoxProcess, timeoutMs: number) {
    this.config = config;
    this.process = process;
    this.ended = this.#run(timeoutMs);
  }

  /** What happens from now on. */
  listen(listener: (event: ProcessEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Its time is that of the command, also in the background; 0 is none. Only the process itself is ended, not its children. */
  async #run(timeoutMs: number): Promise<void> {
    const timer = timeoutMs > 0 ? setTimeout(() => this.process.kill("SIGKILL"), timeoutMs) : undefined;
    await Promise.all([this.#pass("stdout"), this.#pass("stderr")]);
    const { code, signal } = await this.process.exited;
    clearTimeout(timer);
    const status = signal === null ? `exit status ${code}` : `signal: ${signal}`;
    const error = code === 0 ? {} : { error: status };
    this.#emit({ end: { exitCode: code ?? -1, exited: signal === null, status, ...error } });
  }

  async #pass(name: "stdout" | "stderr"): Promise<void> {
    try {
      for await (const chunk of this.process[name]) this.#emit({ data: { [name]: chunk.toString("base64") } });
    } catch {
      // It ended with its box.
    }
  }

  #emit(event: ProcessEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

export interface StartOptions {
  readonly timeoutMs: number;
  readonly hasStdin: boolean;
}

/** Those that run, by their pid. */
export class EnvdProcesses {
  readonly #box: Box;
  readonly #all = new Map<number, EnvdProcess>();

  constructor(box: Box) {
    this.#box = box;
  }

  get all(): readonly EnvdProcess[] {
    return [...this.#all.values()];
  }

  find(pid: number | undefined): EnvdProcess | undefined {
    return pid === undefined ? undefined : this.#all.get(pid);
  }

  async start(config: ProcessConfig, { timeoutMs, hasStdin }: StartOptions): Promise<EnvdProcess> {
    const { cmd, args = [], envs, cwd } = config;
    const input = hasStdin ? {} : { input: "" };
    const process = await this.#box.exec([cmd, ...args], { env: envs, cwd, ...input });
    const started = new EnvdProcess(config, process, timeoutMs);
    this.#all.set(process.pid, started);
    void started.ended.then(() => this.#all.delete(process.pid));
    return started;
  }
}
