import { once } from "node:events";
import { createInterface } from "node:readline";
import { Client } from "../../../../daemon/src/__fixtures__/client.ts";
import type { CliHome } from "../../__fixtures__/cli-home.ts";

export interface RuntimeProcessOptions {
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** May do everything. */
export const adminKey = "sak_of_the_tests";

/** `sandbox-agent runtime` as a person starts it, which can be killed. Its sandboxes live on. */
export class RuntimeProcess {
  readonly url: string;
  readonly client: Client;
  readonly #child: ReturnType<CliHome["spawn"]>;
  readonly #said: Buffer[];

  private constructor(child: ReturnType<CliHome["spawn"]>, said: Buffer[], url: string) {
    this.#child = child;
    this.#said = said;
    this.url = url;
    this.client = new Client(url, adminKey);
  }

  static async start(home: CliHome, { flags = [], env = {} }: RuntimeProcessOptions = {}): Promise<RuntimeProcess> {
    const variables = { SANDBOX_AGENT_RUNTIME_KEY: adminKey, ...env };
    const child = home.spawnWith(variables, "runtime", "--port", "0", "--log-level", "warn", ...flags);
    const said: Buffer[] = [];
    child.stderr.on("data", (chunk: Buffer) => said.push(chunk));
    for await (const line of createInterface(child.stdout)) {
      const [, url] = /URL\s+(\S+)/.exec(line) ?? [];
      if (url === undefined) continue;
      child.stdout.resume();
      return new RuntimeProcess(child, said, url);
    }
    throw new Error(`The runtime did not start: ${Buffer.concat(said)}`);
  }

  /** What it has logged. */
  get log(): string {
    return Buffer.concat(this.#said).toString();
  }

  /** Resolves when it is gone. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, "exit");
    this.#child.kill(signal);
    await gone;
  }
}
