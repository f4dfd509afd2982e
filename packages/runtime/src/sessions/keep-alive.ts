import type { Logger } from "@sandbox-agent-ts/server";
import { Recurring } from "../recurring.ts";
import type { AgentSandbox } from "../sandboxes/agent-sandbox.ts";

/** Of a life. What is put off at every third has another third to make up for a service that does not answer. */
const renewAfter = 1 / 3;
const looksInALife = 12;

export interface KeepAliveOptions {
  readonly sessionId: string;
  /** How long a sandbox lives from its last extension on. */
  readonly lifeMs: number;
  readonly log: Logger;
}

/** Puts off the end of a sandbox while a turn runs in it, and not afterwards: it is suspended for being idle before its life ends. */
export class KeepAlive {
  readonly #options: KeepAliveOptions;
  #renewal: { readonly sandbox: AgentSandbox; readonly recurring: Recurring } | undefined;

  constructor(options: KeepAliveOptions) {
    this.#options = options;
  }

  /** Nobody waits for it: a sandbox that was just made or resumed has some life. */
  begin(sandbox: AgentSandbox): void {
    if (this.#renewal?.sandbox === sandbox) return;
    void this.end();
    const { lifeMs } = this.#options;
    this.#renewal = { sandbox, recurring: new Recurring(() => this.#renew(sandbox), lifeMs / looksInALife) };
    void this.#renew(sandbox);
  }

  async end(): Promise<void> {
    const renewal = this.#renewal;
    this.#renewal = undefined;
    await renewal?.recurring.stop();
  }

  async #renew(sandbox: AgentSandbox): Promise<void> {
    const { sessionId, lifeMs, log } = this.#options;
    try {
      await sandbox.extendAfter(lifeMs * renewAfter, lifeMs);
    } catch (err) {
      log.warn({ err, sessionId, sandboxId: sandbox.id }, "the life of a sandbox could not be made longer yet");
    }
  }
}
