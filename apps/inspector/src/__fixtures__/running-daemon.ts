import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { onTestFinished } from "vitest";
import { CliHome } from "../../../../packages/cli/src/__fixtures__/cli-home.ts";
import { lastingPort } from "../../../../packages/testing/src/__fixtures__/lasting-port.ts";
import { buildUi } from "../../../../scripts/setup.mjs";

type ServerProcess = ReturnType<CliHome["spawn"]>;

/** The daemon as a person starts it, with the link it prints. It can be killed, and started again in the same place. */
export class RunningDaemon {
  readonly link: string;
  readonly client: SandboxAgent;
  /** Where sessions work. */
  readonly directory: string;
  readonly #home: CliHome;
  #process: ServerProcess;

  private constructor(home: CliHome, process: ServerProcess, link: string, client: SandboxAgent) {
    this.#home = home;
    this.#process = process;
    this.link = link;
    this.client = client;
    this.directory = join(home.path, "project");
    mkdirSync(this.directory, { recursive: true });
  }

  /** `environment` is given the fresh home directory and says what else is in the environment. */
  static async start(
    environment: (home: string) => Promise<Record<string, string>> = async () => ({}),
  ): Promise<RunningDaemon> {
    await buildUi();
    const home = await CliHome.create();
    const port = String(await lastingPort());
    const child = home.spawnWith(await environment(home.path), "server", "--port", port);
    onTestFinished(() => askToEnd(child));
    const link = await printedLink(child);
    const { origin, hash } = new URL(link);
    const client = await SandboxAgent.connect({
      baseUrl: origin,
      token: new URLSearchParams(hash.slice(1)).get("token") ?? "",
    });
    return new RunningDaemon(home, child, link, client);
  }

  /** Where the daemon keeps its sessions. */
  get dataDir(): string {
    return this.#home.dataDir;
  }

  /** Without a word, as a crash or a power cut does it. */
  async kill(): Promise<void> {
    const gone = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await gone;
  }

  /** At the same address, with the token it had unless another one is given. Answers the link it prints. */
  async startAgain(token = this.client.token ?? ""): Promise<string> {
    const { port } = new URL(this.link);
    const flags = ["--port", port, "--token", token];
    const child = this.#home.spawn("server", ...flags);
    onTestFinished(() => askToEnd(child));
    this.#process = child;
    return printedLink(child);
  }
}

/** Agents end with their daemon, and everywhere only when it is asked. */
async function askToEnd(child: ServerProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  await gone;
}

/** What a person clicks. */
async function printedLink(child: ServerProcess): Promise<string> {
  let printed = "";
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    const [, link] = /^\s*Open\s+(\S+)/m.exec(printed) ?? [];
    if (link !== undefined && printed.includes("Try:")) {
      child.stdout.resume();
      return link;
    }
  }
  throw new Error(`The server printed no link: ${printed}`);
}
