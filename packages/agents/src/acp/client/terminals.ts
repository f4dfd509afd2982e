import type { AgentHost } from "../../agent.ts";
import type { AgentProcess } from "../../process/agent-process.ts";

interface CreateParams {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: readonly { readonly name?: string; readonly value?: string }[];
  readonly cwd?: string | null;
  readonly outputByteLimit?: number | null;
}

interface Terminal {
  readonly process: AgentProcess;
  readonly limit: number;
  lines: string[];
  bytes: number;
  truncated: boolean;
  exit: { exitCode: number | null; signal: string | null } | undefined;
}

/** What the agent does not limit is limited here. */
const DEFAULT_OUTPUT_BYTES = 1024 * 1024;
const MAX_LINE_BYTES = 1024 * 1024;

export interface TerminalsOptions {
  readonly host: AgentHost;
  readonly directory: string;
  readonly env: Readonly<Record<string, string>>;
  readonly label: string;
}

/** The commands an agent runs through us: supervised like the agent itself, and gone with it. */
export class Terminals {
  readonly #options: TerminalsOptions;
  readonly #terminals = new Map<string, Terminal>();
  /** What released ones had shown: the agent refers to it afterwards. */
  readonly #shown = new Map<string, string>();
  #count = 0;

  constructor(options: TerminalsOptions) {
    this.#options = options;
  }

  /** The outputs so far by id, released ones too. */
  outputs(): ReadonlyMap<string, string> {
    const running = [...this.#terminals].map(([id, terminal]) => [id, textOf(terminal)] as const);
    return new Map([...this.#shown, ...running]);
  }

  /** Nobody will refer to what was shown before. */
  forgetReleased(): void {
    this.#shown.clear();
  }

  create({ command = "", args = [], env = [], cwd, outputByteLimit }: CreateParams): { terminalId: string } {
    const { host, directory, label } = this.#options;
    const own = env.map(({ name = "", value = "" }) => [name, value]);
    const process = host.spawn({
      command: "sh",
      args: shellArgs(command, args),
      cwd: cwd ?? directory,
      env: { ...this.#options.env, ...Object.fromEntries(own) },
      label: `terminal of ${label}`,
      maxLineBytes: MAX_LINE_BYTES,
      onLines: (lines) => addLines(terminal, lines),
      onOversizedLine: ({ head }) => addLines(terminal, [head]),
    });
    const limit = outputByteLimit ?? DEFAULT_OUTPUT_BYTES;
    const terminal: Terminal = { process, limit, lines: [], bytes: 0, truncated: false, exit: undefined };
    void process.exited.then(({ exitCode, signal }) => {
      terminal.exit = { exitCode, signal };
    });
    process.endInput();
    const terminalId = `terminal-${++this.#count}`;
    this.#terminals.set(terminalId, terminal);
    return { terminalId };
  }

  output(id: string | undefined): object {
    const terminal = this.#find(id);
    const { truncated, exit } = terminal;
    return { output: textOf(terminal), truncated, ...(exit ? { exitStatus: exit } : {}) };
  }

  async waitForExit(id: string | undefined): Promise<object> {
    const { exitCode, signal } = await this.#find(id).process.exited;
    return { exitCode, signal };
  }

  async kill(id: string | undefined): Promise<object> {
    await this.#find(id).process.stop();
    return {};
  }

  async release(id: string | undefined): Promise<object> {
    const terminal = this.#find(id);
    this.#terminals.delete(id as string);
    this.#shown.set(id as string, textOf(terminal));
    await terminal.process.stop();
    return {};
  }

  /** End all of them. */
  async close(): Promise<void> {
    const terminals = [...this.#terminals.values()];
    this.#terminals.clear();
    await Promise.all(terminals.map(({ process }) => process.stop()));
  }

  #find(id: string | undefined): Terminal {
    const terminal = this.#terminals.get(id ?? "");
    if (!terminal) throw new Error(`There is no terminal ${JSON.stringify(id)}.`);
    return terminal;
  }
}

/** Both outputs as one, as on a screen. A command without arguments is a line for the shell: agents send both. */
function shellArgs(command: string, args: readonly string[]): string[] {
  return args.length === 0 ? ["-c", `exec 2>&1\n${command}`] : ["-c", 'exec "$0" "$@" 2>&1', command, ...args];
}

/** The end of an output says more than its beginning. */
function addLines(terminal: Terminal, lines: readonly string[]): void {
  terminal.lines.push(...lines);
  terminal.bytes += lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  while (terminal.bytes > terminal.limit && terminal.lines.length > 1) {
    terminal.bytes -= Buffer.byteLength(terminal.lines.shift() ?? "") + 1;
    terminal.truncated = true;
  }
}

function textOf({ lines }: Terminal): string {
  return lines.map((line) => `${line}\n`).join("");
}
