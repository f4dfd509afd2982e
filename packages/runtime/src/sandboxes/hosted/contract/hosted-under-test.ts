import type { ProviderOptions } from "../../registry.ts";
import type { SandboxCapabilities, SandboxProvider } from "../../sandbox-provider.ts";
import type { HostedFeature } from "./hosted-features.ts";

/**
 * What `describeHostedProvider` takes, beside the provider's name. Where it is kept in the provider's folder as
 * `__fixtures__/contract-scenario.ts`, exported as `scenario`, the table of the documentation is made of it, too.
 */
export interface HostedScenario {
  /** What the provider is expected to declare. */
  readonly can: SandboxCapabilities;
  /** What the suite cannot look at, or the service cannot do, each with a sentence that says why. */
  readonly leftOut?: Partial<Readonly<Record<HostedFeature, string>>>;
  /** A service of its own for the suite, with nothing in it; or the live one, where `live` says that it is to be used. */
  start(live: boolean): Promise<HostedUnderTest>;
  /** Variables of the environment without which the live service cannot be used. */
  readonly live: readonly string[];
  /** Default: the provider of this name, as the runtime opens it. */
  open?(options: ProviderOptions): Promise<SandboxProvider>;
}

export interface HostedContractOptions extends HostedScenario {
  /** The directory with `sandbox-agent.cjs`. */
  readonly bundle: string;
  /** What this machine is lacking, so that nothing can be tested: a sentence for the title. */
  readonly missing?: string | undefined;
  /** Milliseconds for one test. Default: 120,000; ten times as long against the live service. */
  readonly timeout?: number | undefined;
}

export interface HostedUnderTest {
  /** What the provider is to be told. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Undefined: the live one, which can neither be told what to do nor asked what came. */
  readonly service?: ServiceUnderTest | undefined;
}

/** What the suite needs of a fake service: a `ProviderService` of `@sandbox-agent-ts/testing` is one. */
export interface ServiceUnderTest {
  /** What its SDK reads from the environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly boxes: ReadonlyMap<string, BoxUnderTest>;
  readonly faults: {
    plan(plan: FaultUnderTest): void;
    readonly happened: readonly string[];
    readonly hanging: number;
    clear(): void;
  };
  readonly ledger: {
    readonly entries: readonly LedgerEntryUnderTest[];
    readonly alive: readonly LedgerEntryUnderTest[];
    readonly running: readonly LedgerEntryUnderTest[];
  };
  readonly requests: readonly unknown[];
  lose(id: string): Promise<void>;
  expire(id: string): Promise<void>;
  move?(id: string): Promise<void>;
  close(): Promise<void>;
}

interface BoxUnderTest {
  readonly deadline: number | undefined;
  processes(): readonly { readonly pid: number; readonly command: string }[];
}

export interface FaultUnderTest {
  /** `create`, or `port` for what goes to a port of a machine through the service; or by looking at the call. */
  readonly call: string | ((call: { readonly name: string }) => boolean);
  readonly fault:
    | { readonly kind: "status"; readonly status: number; readonly retryAfterSeconds?: number }
    | { readonly kind: "lost-answer" | "hang" | "reset" | "login-page" | "expired-key" };
  readonly times?: number;
}

interface LedgerEntryUnderTest {
  readonly id: string;
  readonly createdAt: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly billed: readonly { readonly from: number; readonly to?: number | undefined }[];
  readonly endedAt?: number | undefined;
  readonly endedBy?: string | undefined;
}
