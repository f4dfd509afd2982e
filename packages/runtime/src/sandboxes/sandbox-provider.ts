/**
 * Who makes sandboxes: a folder beside this file that exports `provider` and passes `describeSandbox`. A sandbox is an
 * isolated machine or process tree in which the runtime starts one daemon. A provider knows nothing of sessions.
 *
 * Sandboxes outlive the runtime: what `create` made is found again by `attach` from another process. Nothing but `create`,
 * `start`, `resume` and requests to an endpoint may wake a suspended sandbox. Failures are `SandboxProviderError`s.
 */
export interface SandboxProvider {
  readonly name: string;
  readonly can: SandboxCapabilities;
  /** Sandboxes bring the agents' programs themselves: none is installed on this machine, and `spec.programs` is not read. */
  readonly hasPrograms?: boolean;
  /** What it is able to do on this machine and what is missing, in sentences; for `runtime doctor` and the log at start. */
  check(): Promise<readonly ProviderCheck[]>;
  /** A new sandbox without a daemon. After an abort or a failure nothing of it is left. */
  create(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox>;
  /**
   * A sandbox that is there, also when it is suspended; undefined when it is gone. One whose provider does not answer may be
   * there: it is answered, or the attempt rejects.
   */
  attach(id: string, signal?: AbortSignal): Promise<Sandbox | undefined>;
  /** Every sandbox with this label. */
  list(label: { readonly key: string; readonly value: string }): AsyncIterable<SandboxSummary>;
  /**
   * Be told the id of a sandbox that was suspended or resumed, by whomever, until the answer is called: a connection to it
   * shows nothing of that. Only where the provider can tell; that it died is seen by whoever is connected to it.
   */
  watch?(listener: (id: string) => void): () => void;
  /** Let go of connections and timers; sandboxes stay. */
  dispose(): Promise<void>;
}

export interface SandboxCapabilities {
  /** What is kept when it is suspended. */
  readonly suspend: "memory" | "disk" | false;
  readonly snapshot: boolean;
  /** Whether its life can be made longer. */
  readonly extend: boolean;
  /** Whether the network can be switched off. */
  readonly network: boolean;
  /** Whether what is inside is kept from the rest of the machine. */
  readonly isolation: boolean;
}

export interface ProviderCheck {
  readonly name: string;
  readonly ok: boolean;
  /** What is so, and where it is not ok what to do. */
  readonly detail: string;
}

export interface SandboxSpec {
  readonly labels: Readonly<Record<string, string>>;
  /** Set for everything that is started in it; no secrets. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** A directory of this machine with `sandbox-agent.cjs`, to be had inside at `paths.bundle`, read-only. */
  readonly bundle: string;
  /** A directory of this machine with the agents' programs, to be had inside at `paths.programs`, read-only. */
  readonly programs?: string | undefined;
  readonly image?: string | undefined;
  readonly cpus?: number | undefined;
  readonly memoryMiB?: number | undefined;
  readonly maxProcesses?: number | undefined;
  readonly network?: "on" | "off" | undefined;
  /** When the provider ends it by itself, where it can. */
  readonly lifeMs?: number | undefined;
  readonly idleMs?: number | undefined;
}

export interface Sandbox {
  /** Enough for `attach` from another process. */
  readonly id: string;
  /** Places as they are seen inside. */
  readonly paths: {
    readonly workspace: string;
    readonly home: string;
    /** For the daemon's own data. */
    readonly data: string;
    readonly bundle: string;
    readonly programs: string;
  };
  /** Never wakes it. */
  status(): Promise<SandboxLife>;
  /** Where a daemon that was started with `start` is reached. To be asked again after a resume and after a refusal. */
  endpoint(): Promise<SandboxEndpoint>;
  /**
   * Start the daemon, detached and without a time limit, unless it runs. `command` is what follows the Node program, e.g.
   * `[bundle file, "server", …]`; the provider adds where to listen. Secrets travel in `env`, never in arguments.
   */
  start(command: readonly string[], env: Readonly<Record<string, string>>): Promise<void>;
  /** Write files; directories on the way are made. Paths are as seen inside. */
  write(files: readonly SandboxFile[]): Promise<void>;
  /** Make its life longer; does nothing where life has no end. */
  extend(lifeMs: number): Promise<void>;
  suspend?(): Promise<void>;
  /** Says nothing about processes: the daemon may have to be started again. */
  resume?(): Promise<void>;
  /** The last lines that the daemon wrote to its standard error, for people; empty where there are none. */
  logs(maxBytes: number): Promise<string>;
  /** End it for good, with everything in it. Idempotent; succeeds when it is gone already. */
  destroy(): Promise<void>;
}

export interface SandboxLife {
  /** `starting`: no daemon was started in it yet. `failed`: it is there, and its daemon ended; `start` may be called again. */
  readonly state: "starting" | "running" | "suspended" | "gone" | "failed";
  readonly expiresAt?: number | undefined;
  /** Why it is gone or failed, where that is known. */
  readonly why?: string | undefined;
}

export interface SandboxEndpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Where the place cannot be reached by the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  readonly expiresAt?: number | undefined;
}

export interface SandboxSummary {
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly createdAt: number;
}

export interface SandboxFile {
  readonly path: string;
  readonly data: Uint8Array;
  readonly mode?: number | undefined;
}

export type ProviderErrorCode =
  | "not_found"
  | "conflict"
  | "rate_limited"
  | "unauthorized"
  | "unavailable"
  | "timeout"
  | "stopped"
  | "failed";

/** What went wrong at a provider, in the same words for all of them. */
export class SandboxProviderError extends Error {
  override readonly name = "SandboxProviderError";
  readonly code: ProviderErrorCode;
  readonly retryAfterMs: number | undefined;
  constructor(code: ProviderErrorCode, message: string, options: { cause?: unknown; retryAfterMs?: number } = {}) {
    super(message, options);
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }
}
