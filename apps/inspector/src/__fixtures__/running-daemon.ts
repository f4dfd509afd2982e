import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { SandboxAgent } from "sandbox-agent";
import { onTestFinished } from "vitest";
import { CliHome } from "../../../../packages/cli/src/__fixtures__/cli-home.ts";
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

  static async start(...flags: string[]): Promise<RunningDaemon> {
    await buildUi();
    const home = await CliHome.create();
    onTestFinished(() => home.dispose());
    const child = home.spawn("server", "--port", "0", ...flags);
    const link = await printedLink(child);
    const { origin, hash } = new URL(link);
    const client = await SandboxAgent.connect({
      baseUrl: origin,
      token: new URLSearchParams(hash.slice(1)).get("token") ?? "",
    });
    return new RunningDaemon(home, child, link, client);
  }

  /** Without a word, as a crash or a power cut does it. */
  async kill(): Promise<void> {
    const gone = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await gone;
  }

  async startAgain(): Promise<void> {
    const { port } = new URL(this.link);
    const flags = ["--port", port, "--token", this.client.token ?? ""];
    this.#process = this.#home.spawn("server", ...flags);
    await printedLink(this.#process);
  }
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
