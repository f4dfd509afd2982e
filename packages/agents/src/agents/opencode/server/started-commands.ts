import { endSessionProcesses } from "../../../process/session-processes.ts";

/**
 * The commands that the sessions of a server started. What they leave behind carries the command (`command-shell.ts`) and
 * not the session: where two sessions ran the same, it goes with the last of them.
 */
export class StartedCommands {
  readonly #serverPid: number;
  readonly #sessions = new Map<object, Set<string>>();

  constructor(serverPid: number) {
    this.#serverPid = serverPid;
  }

  add(session: object, command: string): void {
    const commands = this.#sessions.get(session) ?? new Set();
    this.#sessions.set(session, commands.add(command));
  }

  /** Ends what is left of the session's commands, those that still run apart; `since` as `processClock` tells it. */
  async endLeftovers(session: object, since = 0): Promise<void> {
    const others = [...this.#sessions].flatMap(([other, commands]) => (other === session ? [] : [...commands]));
    const own = [...(this.#sessions.get(session) ?? [])].filter((command) => !others.includes(command));
    if (own.length > 0) await endSessionProcesses(own, { since, leftOf: this.#serverPid });
  }

  /** The session is over. */
  async leave(session: object): Promise<void> {
    await this.endLeftovers(session);
    this.#sessions.delete(session);
  }
}
