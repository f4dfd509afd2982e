import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { whyUnreachable } from "../mcp/why-unreachable.ts";

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

interface FailedServer {
  readonly name: string;
  /** What happened, as a sentence. */
  readonly detail: string;
}

/**
 * Runs the server with the streams it is given, and writes down how it ended unless it was told to. A process in the
 * background gets no input from a shell, hence descriptor 3.
 */
const script = `report=$0; began=$(date +%s); exec 3<&0
"$@" <&3 3<&- & child=$!
exec 3<&-
trap 'stopped=1; kill -TERM "$child" 2>/dev/null' TERM INT HUP
wait "$child"; code=$?
while kill -0 "$child" 2>/dev/null; do wait "$child"; code=$?; done
[ -n "$stopped" ] || echo "$code $(($(date +%s) - began))" > "$report"
exit "$code"`;

/** A server that ends well before this was not there to serve. */
const SHORTEST_LIFE_S = 2;
/** HUP, INT, KILL, PIPE and TERM, by which agents end servers. */
const endedByOthers = new Set([1, 2, 9, 13, 15].map((signal) => 128 + signal));

/** Sees how the MCP servers end that an agent starts and says nothing of, and whether those elsewhere can be reached. */
export class McpWatch {
  readonly #parent: string;
  readonly #reports = new Map<string, string>();
  #directory: Promise<string> | undefined;
  #unreachable: FailedServer[] = [];

  /** `parent` need not be there. */
  constructor(parent: string) {
    this.#parent = parent;
  }

  /** The command by which a server is started and watched; asked again for the same server it is the same. */
  async watched(name: string, { command, args }: ServerCommand): Promise<ServerCommand> {
    this.#directory ??= mkdir(this.#parent, { recursive: true }).then(() => mkdtemp(join(this.#parent, "ends-")));
    const directory = await this.#directory;
    const report = this.#reports.get(name) ?? join(directory, String(this.#reports.size));
    this.#reports.set(name, report);
    return { command: "/bin/sh", args: ["-c", script, report, command, ...args] };
  }

  /** Looks for a server on the network, in the background. */
  async reach(name: string, url: string, env: Readonly<Record<string, string>>): Promise<void> {
    const why = await whyUnreachable(url, env);
    if (why !== undefined) this.#unreachable.push({ name, detail: `${why} Its tools are missing.` });
  }

  /** The servers that failed so far, each told once. */
  async failed(): Promise<FailedServer[]> {
    const unreachable = this.#unreachable;
    this.#unreachable = [];
    const looked = [...this.#reports].map(async ([name, report]) => {
      const [code, seconds] = (await readFile(report, "utf8").catch(() => "")).split(" ").map(Number);
      if (code === undefined || seconds === undefined) return [];
      this.#reports.delete(name);
      const isOver = endedByOthers.has(code) || (code === 0 && seconds >= SHORTEST_LIFE_S);
      return isOver ? [] : [{ name, detail: `${sentence(code)} Its tools are missing.` }];
    });
    return [...unreachable, ...(await Promise.all(looked)).flat()];
  }

  async close(): Promise<void> {
    const directory = await this.#directory?.catch(() => undefined);
    if (directory !== undefined) await rm(directory, { recursive: true, force: true });
  }
}

function sentence(code: number): string {
  if (code === 127) return "Its command was not found. Correct the command of the server.";
  if (code === 126) return "Its command may not be executed. Correct the command of the server.";
  return `It ended with exit code ${code}. Run its command by hand to see why.`;
}
