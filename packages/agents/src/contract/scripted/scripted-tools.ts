import type { Skipped } from "../agent-scenario.ts";
import type { ModelStep } from "../model-script.ts";

/**
 * An agent's tools as its model calls them: each member is the steps by which the model makes the agent do something, in
 * the agent's own names and inputs, or why the agent cannot. Usually one step with one call; more where the agent wants
 * it (a file read before it is edited). Files are named relative to the session's directory, which nobody knows when the
 * script is written: where a tool wants an absolute path, `capture` it from what the agent tells its model.
 */
export interface ScriptedTools {
  /** Run a command, in a session with permission mode `bypass`. */
  readonly shell: Tool<[command: string]>;
  /** Run a command so that a session with permission mode `default` asks first; the same call twice is the same use. */
  readonly shellThatAsks: Tool<[command: string]>;
  /** Look into a file; any tool that is neither a command nor a change. */
  readonly readFile: Tool<[file: string]>;
  readonly writeFile: Tool<[file: string, text: string]>;
  /** Replace a line. */
  readonly editFile: Tool<[file: string, before: string, after: string]>;
  /** Delete a file with a tool that does nothing else or is for files only; not with the shell. */
  readonly deleteFile: Tool<[file: string]>;
  /** The same for moving one. The file has the one line `line`. */
  readonly moveFile: Tool<[from: string, to: string, line: string]>;
  /** Fetch a web page, in a session with permission mode `default`. */
  readonly fetchPage: Tool<[url: string]>;
  /** Show an image file of the session's directory, so that it becomes an `image` part. */
  readonly showImage: Tool<[file: string]>;
  readonly ask: Tool<[questions: readonly ScriptedQuestion[]]>;
  /** Propose a plan, in a session with permission mode `plan`. */
  readonly proposePlan: Tool<[plan: string]>;
  /** Keep a list of things to do. */
  readonly noteTodos: Tool<[todos: readonly string[]]>;
  /** Hand a task to a subagent; the model then gets `prompt` in a conversation of its own. */
  readonly startSubagent: Tool<[prompt: string]>;
  /** The same for a subagent of a profile, by its name. */
  readonly startNamedSubagent: Tool<[name: string, prompt: string]>;
  /** Where the agent tells its model only on demand in which folder a skill of the session is. */
  readonly openSkill?: Tool<[name: string]>;
  /** Whether it runs hooks of a profile. */
  readonly runsHooks: true | Skipped;
  /** Settings files by which the agent would allow its commands and edits by itself, as far as files can. */
  readonly permissiveSettings: PermissiveSettings | Skipped;
  readonly callMcpTool: Tool<[server: string, tool: string, input: Record<string, unknown>]>;
}

interface PermissiveSettings {
  /** By their place in the user's home. */
  readonly user?: Readonly<Record<string, string>>;
  /** By their place in the session's directory. */
  readonly repository?: Readonly<Record<string, string>>;
}

export type Tool<Args extends unknown[]> = ((...args: Args) => ModelStep[]) | Skipped;

export interface ScriptedQuestion {
  readonly header: string;
  readonly prompt: string;
  readonly options: readonly string[];
  readonly multiSelect: boolean;
}
