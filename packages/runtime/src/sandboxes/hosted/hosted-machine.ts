import type { SandboxEndpoint, SandboxFile, SandboxLife } from "../sandbox-provider.ts";

/**
 * A machine at a hosting service, by the service's own SDK: files, commands, ports and its life. It knows nothing of daemons;
 * `HostedSandbox` makes a sandbox of it. A provider implements this and no more.
 *
 * Every failure is a `SandboxProviderError` (`providerError` makes one of an HTTP status): `not_found` when the machine is gone,
 * `stopped` when it is suspended. Nothing but `run`, `launch`, `write` and `resume` may wake it, and the first three are called
 * only after `status` said that it runs.
 */
export interface HostedMachine {
  /** The service's own; enough to find it again from another process. */
  readonly id: string;
  /** Asks the service, never the machine, and never wakes it. */
  status(): Promise<MachineLife>;
  /**
   * A command that ends soon, without a shell in between (`["sh", "-c", "…"]` where one is wanted); answers its exit code, which
   * is no failure whatever it is. Nothing secret is in the command: services keep them.
   */
  run(command: readonly string[], options?: RunOptions): Promise<RunResult>;
  /** A command without a time limit, which nobody waits for. It lives on when this process ends; its output goes nowhere. */
  launch(command: readonly string[]): Promise<void>;
  /** Absolute paths; directories on the way are made; a file that is there is replaced; modes are kept (default 0644). */
  write(files: readonly SandboxFile[]): Promise<void>;
  /** Where a port is reached. Asked again after each start and resume and after a refusal, and kept until then. */
  endpoint(port: number): Promise<SandboxEndpoint>;
  /** So much longer from now on; does nothing where life has no end. */
  extend(lifeMs: number): Promise<void>;
  /** Idempotent, as is `resume`; both are missing where the service cannot. */
  suspend?(): Promise<void>;
  /** Resolves when commands run again. Says nothing of processes. */
  resume?(): Promise<void>;
  /** Ends it for good and for free: nothing of it is billed afterwards. Idempotent; succeeds when it is gone already. */
  destroy(): Promise<void>;
}

export interface MachineLife {
  readonly state: Exclude<SandboxLife["state"], "failed">;
  readonly expiresAt?: number | undefined;
  readonly why?: string | undefined;
}

export interface RunOptions {
  /** Default: a minute. Then it rejects with `timeout`. */
  readonly timeoutMs?: number | undefined;
}

export interface RunResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}
