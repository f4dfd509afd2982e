import type { Box } from "./box/box.ts";
import type { Faults } from "./faults.ts";
import type { Ledger } from "./ledger.ts";

/**
 * A hosting service on loopback that speaks the protocol of a real one, for tests and for trying things without an account: its
 * own SDK talks to it, and what it makes are real machines as far as one computer has them (`Box`).
 */
export interface ProviderService {
  /** The name of the provider that talks to it, e.g. `e2b`. */
  readonly name: string;
  /** What the provider is to be told: its settings in a configuration of the runtime, its keys among them. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** What the service's own SDK reads from the environment to find it, where it does. */
  readonly env: Readonly<Record<string, string>>;
  /** Every machine that is there, by the id the service gave it; also those that are suspended. */
  readonly boxes: ReadonlyMap<string, Box>;
  /** What is to go wrong. */
  readonly faults: Faults;
  /** What was made, ended and billed. */
  readonly ledger: Ledger;
  /** Every request to the service's API, as it came: nothing secret may be in it. Streams and ports of machines are left out. */
  readonly requests: readonly ServiceRequest[];
  /** A machine is gone, as by a fault of the service: to everybody as if it had been destroyed, in the ledger by `fault`. */
  lose(id: string): Promise<void>;
  /** Its deadline, or its idleness, is reached now: the service does by itself what it does then. In the ledger by `deadline`. */
  expire(id: string): Promise<void>;
  /**
   * A running machine is reached at another place, or with another token, from now on; the former one answers as the service
   * does to who is not let in. Only where a service does that.
   */
  move?(id: string): Promise<void>;
  /** Ends it with all its machines; nothing is left. */
  close(): Promise<void>;
}

export interface ServiceRequest {
  readonly method: string;
  readonly path: string;
  /** Names in lower case; credentials of the account are hidden. */
  readonly headers: Readonly<Record<string, string>>;
  /** As text; of an upload only what is not a file's contents. */
  readonly body: string;
}

/** What every fake service takes. */
export interface ServiceOptions {
  /** Ports of this machine's loopback to be reached from inside of its machines at the same place, e.g. a scripted model's. */
  readonly reachable?: readonly number[] | undefined;
  /** Directories of this machine that every new machine has, read-only, by their place inside: a template's contents. */
  readonly mounts?: Readonly<Record<string, string>> | undefined;
  /** Machines without a Node of their own. */
  readonly withoutNode?: boolean | undefined;
  /** Of the API, 0 takes a free one. */
  readonly port?: number | undefined;
  readonly onRequest?: ((request: ServiceRequest) => void) | undefined;
}

/** What the folder of a fake service exports as `service`; `npm run gen` puts it into the registry. */
export interface ProviderServiceDescription {
  readonly name: string;
  /** One line, for people. */
  readonly summary: string;
  start(options?: ServiceOptions): Promise<ProviderService>;
}
