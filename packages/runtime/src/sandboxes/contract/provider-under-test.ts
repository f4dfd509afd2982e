import type { Sandbox, SandboxLife, SandboxProvider } from "../sandbox-provider.ts";

/** A provider without sandboxes and what the suite must be able to do with it. */
export interface ProviderUnderTest {
  readonly provider: SandboxProvider;
  /** A second instance, as another process has it. */
  another(): SandboxProvider;
  /** What `attach` finds in a process of its own, and what the sandbox's endpoint answers there at `/v1/health`. */
  attachElsewhere(id: string): Promise<{ readonly state: SandboxLife["state"]; readonly health: unknown }>;
  /** Kill the daemon in a sandbox with SIGKILL, as the kernel might. */
  killDaemon(sandbox: Sandbox): Promise<void>;
  /** What is left of a sandbox that was destroyed: processes, folders, containers; one line each. */
  leftovers(id: string): Promise<readonly string[]>;
  /** Remove everything. */
  destroy(): Promise<void>;
}

export type MakeProvider = () => Promise<ProviderUnderTest>;

export interface SandboxContractOptions {
  /** The directory with `sandbox-agent.cjs`. */
  readonly bundle: string;
  /** Milliseconds for one test; sandboxes of some providers take their time. */
  readonly timeout?: number;
}
