import { SandboxError } from "@sandbox-agent-ts/protocol";
import { UsageError } from "../usage-error.ts";

type OptionValue = string | boolean | readonly string[] | undefined;

/** What the command line gave a command, by the names of its table entry. */
export class CommandInput {
  readonly #args: ReadonlyMap<string, string>;
  readonly #options: Readonly<Record<string, OptionValue>>;

  constructor(args: ReadonlyMap<string, string>, options: Readonly<Record<string, OptionValue>>) {
    this.#args = args;
    this.#options = options;
  }

  /** An argument that the table says is there. */
  argument(name: string): string {
    const value = this.#args.get(name);
    if (value === undefined) throw new SandboxError("internal_error", `The command table has no argument ${name}.`);
    return value;
  }

  optionalArgument(name: string): string | undefined {
    return this.#args.get(name);
  }

  text(name: string): string | undefined {
    const value = this.#options[name];
    return typeof value === "string" ? value : undefined;
  }

  list(name: string): readonly string[] {
    const value = this.#options[name];
    return Array.isArray(value) ? value : [];
  }

  /** True, or undefined so that the daemon's default holds. */
  flag(name: string): true | undefined {
    return this.#options[name] === true ? true : undefined;
  }

  count(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!/^\d{1,15}$/.test(value)) throw new UsageError(`--${name} must be a whole number, not "${value}".`);
    return Number(value);
  }
}
