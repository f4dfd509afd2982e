import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { onTestFinished } from "vitest";
import { CliHome } from "../../../../packages/cli/src/__fixtures__/cli-home.ts";
import { MarkedSandboxes } from "../../../../packages/cli/src/runtime/__fixtures__/marked-sandboxes.ts";
import { adminKey, RuntimeProcess } from "../../../../packages/cli/src/runtime/__fixtures__/runtime-process.ts";
import { lastingPort } from "../../../../packages/testing/src/__fixtures__/lasting-port.ts";
import { buildUi } from "../../../../scripts/setup.mjs";

/** `sandbox-agent runtime` as a person starts it, with the inspector in front of it. */
export class RunningRuntime {
  readonly key = adminKey;
  readonly client: SandboxAgent;
  readonly sandboxes: MarkedSandboxes;
  /** Where sessions may work, in sandboxes without isolation. */
  readonly directory: string;
  readonly #home: CliHome;
  #process: RuntimeProcess;

  private constructor(home: CliHome, process: RuntimeProcess, sandboxes: MarkedSandboxes, client: SandboxAgent) {
    this.#home = home;
    this.#process = process;
    this.sandboxes = sandboxes;
    this.client = client;
    this.directory = join(home.path, "project");
    mkdirSync(this.directory, { recursive: true });
  }

  static async start(isolation: "auto" | "none" = "auto"): Promise<RunningRuntime> {
    await buildUi();
    const home = await CliHome.create();
    const sandboxes = new MarkedSandboxes(home);
    onTestFinished(() => sandboxes.clear());
    const flags = ["--port", String(await lastingPort()), "--isolation", isolation];
    const process = await RuntimeProcess.start(home, { flags });
    const client = await SandboxAgent.connect({ baseUrl: process.url, token: adminKey });
    return new RunningRuntime(home, process, sandboxes, client);
  }

  /** Where the inspector is, without a key. */
  get page(): string {
    return `${this.#process.url}/ui/`;
  }

  /** The page with a key that may do everything. */
  get link(): string {
    return `${this.page}#token=${this.key}`;
  }

  /** `kill -9`, and started again at the same address. */
  async killAndStartAgain(): Promise<void> {
    const { port } = new URL(this.#process.url);
    await this.#process.end("SIGKILL");
    this.#process = await RuntimeProcess.start(this.#home, { flags: ["--port", port] });
  }
}
