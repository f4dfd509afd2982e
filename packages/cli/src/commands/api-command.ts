import type { RouteId } from "@sandbox-agent-ts/protocol";
import type { SandboxAgent } from "@sandbox-agent-ts/sdk";
import type { Flag } from "../flag.ts";
import type { Output } from "../output/output.ts";
import type { CommandInput } from "./command-input.ts";

export interface Argument {
  readonly name: string;
  readonly description: string;
  readonly optional?: boolean;
  /** May be given as a flag of the same name instead, as clients of 0.1.11 do. */
  readonly asFlag?: boolean;
}

interface CommandContext {
  readonly client: SandboxAgent;
  readonly input: CommandInput;
  readonly out: Output;
}

/**
 * A command that mirrors one operation of the HTTP API. `sandbox-agent api <words>` is made from it and, except for the
 * `server` group, `sandbox-agent <words>` too. A test holds the table of these to the table of routes.
 */
export interface ApiCommand {
  readonly route: RouteId;
  readonly words: readonly [group: "server" | "agents" | "sessions" | "fs", name: string];
  readonly alias?: string;
  readonly summary: string;
  readonly arguments?: readonly Argument[];
  readonly flags?: readonly Flag[];
  /** What to type after `sandbox-agent`. */
  readonly examples: readonly string[];
  /** Goes on through lost connections, so that there is a daemon at all must be asked before. */
  readonly streams?: boolean;
  /** Prints the result; a number it answers with is the exit code. */
  run(context: CommandContext): Promise<number> | Promise<void>;
}

export const sessionId: Argument = { name: "session-id", description: "id of the session" };
export const agentId: Argument = { name: "agent", description: "id of the agent, see `sandbox-agent agents list`" };
export const includeRawFlag: Flag = { name: "include-raw", description: "add the agent's own payload to each event" };
