import { setTimeout as delay } from "node:timers/promises";
import type { AgentLogger, AgentProgram } from "@sandbox-agent-ts/agents";

/** How long an answer holds: vendors answer only so often. */
const freshMs = 10 * 60_000;
const defaultPatienceMs = 10_000;

/** The newest versions of programs that can be had, asked of the network when somebody wants to know. */
export class NewestVersions {
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #log: AgentLogger;
  readonly #patienceMs: number;
  readonly #known = new Map<string, { readonly version: string; readonly until: number }>();
  #asking: Promise<void> | undefined;

  constructor(env: Readonly<Record<string, string | undefined>>, log: AgentLogger, patienceMs = defaultPatienceMs) {
    this.#env = env;
    this.#log = log;
    this.#patienceMs = patienceMs;
  }

  /** By program, without those that are not found out soon; what is found out later is there for the next one who asks. */
  async of(programs: readonly AgentProgram[]): Promise<ReadonlyMap<string, string>> {
    const unknown = programs.filter(({ name }) => !this.#isFresh(name));
    if (unknown.length > 0) {
      this.#asking ??= this.#ask(unknown).finally(() => {
        this.#asking = undefined;
      });
      await Promise.race([this.#asking, delay(this.#patienceMs, undefined, { ref: false })]);
    }
    const fresh = [...this.#known].filter(([name]) => this.#isFresh(name));
    return new Map(fresh.map(([name, { version }]) => [name, version]));
  }

  #isFresh(name: string): boolean {
    return (this.#known.get(name)?.until ?? 0) > Date.now();
  }

  /** Never rejects: a list without them is one, too. */
  async #ask(programs: readonly AgentProgram[]): Promise<void> {
    try {
      const { versionLookup } = await import("@sandbox-agent-ts/agents/install");
      const lookup = await versionLookup(this.#env);
      await Promise.all(programs.map((program) => this.#askFor(program, lookup)));
    } catch (err) {
      this.#log.warn({ err }, "the newest versions of agents could not be looked up");
    }
  }

  async #askFor(program: AgentProgram, lookup: (program: AgentProgram) => Promise<string>): Promise<void> {
    try {
      this.#known.set(program.name, { version: await lookup(program), until: Date.now() + freshMs });
    } catch (err) {
      this.#log.debug({ err, program: program.name }, "the newest version of an agent was not found out");
    }
  }
}
