import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { buildCli, cliBundle, executable } from "../../../../scripts/setup.mjs";
import { type AtEnd, atEndOfTest } from "../../../daemon/src/__fixtures__/at-end.ts";
import { TestProcesses } from "../../../testing/src/__fixtures__/test-processes.ts";
import { type TerminalOptions, TerminalRun, terminalCommand } from "./in-terminal.ts";

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunningServer {
  readonly server: ChildProcessWithoutNullStreams;
  readonly banner: string;
  readonly url: string;
}

/** A fresh home directory in which the built CLI is run as a person would run it. In the end nothing of it is left. */
export class CliHome {
  readonly path = mkdtempSync(join(tmpdir(), "cli-home-"));
  readonly dataDir = join(this.path, "data");
  readonly #processes = new TestProcesses();
  readonly env: Record<string, string> = {
    PATH: process.env.PATH ?? "",
    HOME: this.path,
    SANDBOX_AGENT_DATA_DIR: this.dataDir,
    SANDBOX_AGENT_SOURCES: "npm",
    // A variable that a runtime hands on to its sandboxes, with a host that is none: so they are found and end with the test.
    NO_PROXY: `${this.#processes.mark}.invalid`,
  };
  readonly #command: readonly [string, ...string[]];

  private constructor(command: readonly [string, ...string[]]) {
    this.#command = command;
  }

  static async create(atEnd: AtEnd = atEndOfTest): Promise<CliHome> {
    const home = new CliHome([process.execPath, cliBundle]);
    atEnd(() => home.#dispose());
    await buildCli();
    return home;
  }

  /** With the single executable in place of the bundle, which is built already, and no program on the PATH. */
  static withExecutable(): CliHome {
    const home = new CliHome([executable]);
    atEndOfTest(() => home.#dispose());
    home.env.PATH = join(home.path, "nothing");
    return home;
  }

  /** Start the CLI; what is still running in the end is killed, also a daemon in the background. */
  spawn(...args: string[]): ChildProcessWithoutNullStreams {
    return this.spawnWith({}, ...args);
  }

  /** The same, with more in its environment. */
  spawnWith(env: Readonly<Record<string, string>>, ...args: string[]): ChildProcessWithoutNullStreams {
    const options = { env: { ...this.env, ...env }, cwd: this.path };
    const [command, ...first] = this.#command;
    return this.#processes.spawn(command, [...first, ...args], options);
  }

  /** Run the CLI to its end. */
  async run(args: readonly string[], stdin = ""): Promise<CliResult> {
    const child = this.spawn(...args);
    child.stdin.end(stdin);
    const exit = once(child, "exit");
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = (await exit) as [number | null];
    return { code, stdout, stderr };
  }

  /** Start the CLI in a pseudo-terminal, as a person does; see `describeInTerminal`. */
  terminal(args: readonly string[], options: TerminalOptions = {}): TerminalRun {
    return this.terminalOf([...this.#command, ...args], options);
  }

  /** The same for any program. */
  terminalOf(program: readonly string[], options: TerminalOptions = {}): TerminalRun {
    const env = { ...this.env, TERM: "xterm-256color", SHELL: "/bin/sh", ...options.env };
    const [command, commandArgs] = terminalCommand(program, options);
    return new TerminalRun(this.#processes.spawn(command, commandArgs, { env, cwd: this.path }));
  }

  /** Run a command that must succeed and prints JSON. */
  async json<T>(...args: string[]): Promise<T> {
    const { code, stdout, stderr } = await this.run(args);
    if (code !== 0) throw new Error(`sandbox-agent ${args.join(" ")} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout) as T;
  }

  /** Start a server on a free port and point the CLI at it. */
  async startServer(...flags: string[]): Promise<RunningServer> {
    const server = this.spawn("server", "--port", "0", "--log-level", "error", ...flags);
    const [chunk] = (await once(server.stdout, "data")) as [Buffer];
    const banner = chunk.toString();
    const url = /URL\s+(\S+)/.exec(banner)?.[1] ?? "";
    this.env.SANDBOX_AGENT_ENDPOINT = url;
    return { server, banner, url };
  }

  async #dispose(): Promise<void> {
    await this.#processes.end();
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** The JSON values of a stream of lines, as they come. */
export async function* jsonLines(stream: NodeJS.ReadableStream): AsyncGenerator<{ type: string; data: never }> {
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
}
