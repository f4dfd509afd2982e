import { SandboxProviderError } from "../sandbox-provider.ts";

/** Where sandboxes have the daemon and the agents' programs from: of this machine, brought in; or of their image. */
export type HostedPrograms = "upload" | "image";

/**
 * The settings of a provider, read one by one: checked, with a default where the configuration says nothing. What is wrong
 * is said with the provider's and the setting's name. Flags of the command line arrive as text.
 */
export class HostedSettings<Name extends string> {
  readonly #provider: string;
  readonly #given: Readonly<Partial<Record<Name, unknown>>>;
  readonly #env: NodeJS.ProcessEnv;

  constructor(provider: string, given: Readonly<Partial<Record<Name, unknown>>>, env: NodeJS.ProcessEnv = process.env) {
    this.#provider = provider;
    this.#given = given;
    this.#env = env;
  }

  text(name: Name): string | undefined;
  text(name: Name, otherwise: string): string;
  text(name: Name, otherwise?: string): string | undefined {
    const value = this.#given[name] ?? otherwise;
    if (value === undefined) return undefined;
    if (typeof value !== "string" || value === "") throw this.wrong(`${name} is a text, not ${show(value)}`);
    return value;
  }

  /** From the setting, or from the first of the service's usual variables that is set. */
  textOrVariable(name: Name, variables: readonly string[]): string | undefined {
    const variable = variables.find((candidate) => this.#env[candidate]);
    return this.text(name) ?? (variable === undefined ? undefined : this.#env[variable]);
  }

  /** As `textOrVariable`; where there is none it says how to give one. Its value is in no sentence. */
  secret(name: Name, variables: readonly string[], whereFrom: string): string {
    if (this.#given[name] !== undefined && typeof this.#given[name] !== "string") throw this.wrong(`${name} is a text`);
    const value = this.textOrVariable(name, variables);
    if (value !== undefined) return value;
    const detail = `There is no key for the provider ${this.#provider}. Set ${variables.join(" or ")}, or its setting ${name}; ${whereFrom}.`;
    throw new SandboxProviderError("unauthorized", detail);
  }

  url(name: Name, variables: readonly string[] = []): string | undefined {
    const value = this.textOrVariable(name, variables);
    if (value !== undefined && !/^https?:\/\/[^/]/.test(value)) {
      throw this.wrong(`${name} is an address that begins with https://, not ${show(value)}`);
    }
    return value?.replace(/\/+$/, "");
  }

  number(name: Name, least: number): number | undefined;
  number(name: Name, least: number, otherwise: number): number;
  number(name: Name, least: number, otherwise?: number): number | undefined {
    if (this.#given[name] === undefined) return otherwise;
    const value = Number(this.#given[name]);
    if (this.#given[name] === "" || !(value >= least) || !Number.isFinite(value))
      throw this.wrong(`${name} is a number from ${least} on, not ${show(this.#given[name])}`);
    return value;
  }

  choice<const Choice extends string>(name: Name, choices: readonly Choice[], otherwise: Choice): Choice {
    const value = this.#given[name] ?? otherwise;
    const found = choices.find((choice) => choice === value);
    if (found === undefined) throw this.wrong(`${name} is one of ${choices.join(", ")}, not ${show(value)}`);
    return found;
  }

  flag(name: Name, otherwise: boolean): boolean {
    const value = this.#given[name] ?? otherwise;
    if (value === true || value === "true") return true;
    if (value === false || value === "false") return false;
    throw this.wrong(`${name} is true or false, not ${show(value)}`);
  }

  programs(name: Name, otherwise: HostedPrograms = "upload"): HostedPrograms {
    return this.choice(name, ["upload", "image"], otherwise);
  }

  /** A place inside of a machine. */
  path(name: Name, otherwise: string): string {
    const value = this.text(name, otherwise);
    if (!/^\/[^\0]*[^/\0]$/.test(value)) throw this.wrong(`${name} is an absolute path, not ${show(value)}`);
    return value;
  }

  wrong(detail: string): SandboxProviderError {
    return new SandboxProviderError(
      "failed",
      `The settings of the provider ${this.#provider} are not right: ${detail}.`,
    );
  }
}

const show = (value: unknown) => JSON.stringify(value);
