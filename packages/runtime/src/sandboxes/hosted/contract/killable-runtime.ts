import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { onTestFinished } from "vitest";
import { bundleFile } from "../../agent-sandbox.ts";
import type { HostedBench } from "./hosted-bench.ts";

const key = "sak_of_the_suite";
const lastWords = 10_000;

/** Nobody else uses the store. */
export const graceMs = 2_000;
const limits = { leaseMs: 1_000, healthIntervalMs: 50, reapIntervalMs: 1_000, reapGraceMs: graceMs };

/** `sandbox-agent runtime` with a provider by its settings, in a process of its own that is killed and started again. */
export class KillableRuntime {
  readonly #bench: HostedBench;
  readonly #home = realpathSync(mkdtempSync(join(tmpdir(), "killable-runtime-")));
  readonly #said: string[] = [];
  #child: ChildProcess | undefined;
  #client: SandboxAgent | undefined;

  constructor(bench: HostedBench) {
    this.#bench = bench;
    onTestFinished(async ({ task }) => {
      if (task.result?.state === "fail")
        console.error(`The runtime's last words:\n${this.#said.join("").slice(-lastWords)}`);
      await this.end("SIGTERM");
      rmSync(this.#home, { recursive: true, force: true, maxRetries: 3 });
    });
  }

  get client(): SandboxAgent {
    return this.#client!;
  }

  /** It goes on with what the one before it left. */
  async start(): Promise<void> {
    const { name, current, options } = this.#bench;
    const config = join(this.#home, "config.json");
    writeFileSync(config, JSON.stringify({ provider: name, providerSettings: current.settings, limits }), {
      mode: 0o600,
    });
    const args = ["runtime", "--port", "0", "--log-level", "warn", "--config", config];
    const child = spawn(process.execPath, [join(options.bundle, bundleFile), ...args], {
      env: {
        PATH: process.env.PATH,
        HOME: this.#home,
        SANDBOX_AGENT_DATA_DIR: join(this.#home, "data"),
        SANDBOX_AGENT_SOURCES: "npm",
        SANDBOX_AGENT_RUNTIME_KEY: key,
        ...current.service?.env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    child.stderr.setEncoding("utf8").on("data", (text: string) => this.#said.push(text));
    for await (const line of createInterface(child.stdout)) {
      const [, baseUrl] = /URL\s+(\S+)/.exec(line) ?? [];
      if (baseUrl === undefined) continue;
      child.stdout.resume();
      this.#client = await SandboxAgent.connect({ baseUrl, token: key, retries: 0 });
      return;
    }
    throw new Error(`The runtime did not start: ${this.#said.join("").slice(-lastWords)}`);
  }

  async end(signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  }
}
