import type { Box } from "../box/box.ts";
import type { ConnectProxy } from "./connect-proxy.ts";
import { resultStatus, type sandboxCreate } from "./messages.ts";
import type { Decoded } from "./protobuf.ts";
import { TaskExecs } from "./task-execs.ts";

export type SandboxWish = Decoded<typeof sandboxCreate.request>;

/** How a sandbox ended, as Modal says it. */
export interface SandboxResult {
  readonly status: number;
  readonly exitCode: number;
  readonly exception?: string;
}

export const ends = {
  terminated: { status: resultStatus.terminated, exitCode: 137 },
  timeout: { status: resultStatus.timeout, exitCode: 124, exception: "The sandbox reached its timeout." },
  failure: { status: resultStatus.failure, exitCode: 1, exception: "The worker was lost." },
} as const satisfies Record<string, SandboxResult>;

export interface ModalSandboxOptions {
  readonly wish: SandboxWish;
  readonly box: Box;
  /** Seconds since 1970; no other sandbox has the same. */
  readonly createdAt: number;
}

/** A sandbox of an app. It is remembered after its end. */
export class ModalSandbox {
  readonly wish: SandboxWish;
  readonly box: Box;
  readonly createdAt: number;
  readonly tags: Readonly<Record<string, string>>;
  readonly execs = new TaskExecs();
  /** Made by the first connect token. */
  proxy: Promise<ConnectProxy> | undefined;
  /** Resolves when it has ended. */
  readonly ended: Promise<SandboxResult>;
  #result: SandboxResult | undefined;
  #end!: (result: SandboxResult) => void;

  constructor({ wish, box, createdAt }: ModalSandboxOptions) {
    this.wish = wish;
    this.box = box;
    this.createdAt = createdAt;
    this.tags = Object.fromEntries(wish.tags.map(({ name, value }) => [name, value]));
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  get id(): string {
    return this.box.id;
  }

  get taskId(): string {
    return taskOf(this.id);
  }

  get name(): string {
    return this.wish.definition?.name ?? "";
  }

  /** Set once it has ended. */
  get result(): SandboxResult | undefined {
    return this.#result;
  }

  /** Answers whether it had not ended before. */
  end(result: SandboxResult): boolean {
    if (this.#result) return false;
    this.#result = result;
    this.#end(result);
    return true;
  }
}

const taskOf = (sandboxId: string) => `ta-${sandboxId.slice(3)}`;
export const sandboxOf = (taskId: string) => `sb-${taskId.slice(3)}`;

/** Variables that a request brings with it. Stored secrets are those of the fake: none has a value. */
export function variablesOf(sources: SandboxWish["secretSources"]): Record<string, string> {
  const entries = sources.flatMap(({ env }) => env?.contents ?? []);
  return Object.fromEntries(entries.map(({ key, value }) => [key, value]));
}
