import type {
  ActionKind,
  AgentCapabilities,
  AgentMode,
  ErrorData,
  PermissionMode,
  Question,
} from "@sandbox-agent-ts/protocol";
import type { AgentHost, ProfileCapabilities, SessionConfig } from "../agent.ts";
import type { AgentCredentials } from "../credentials/agent-credentials.ts";
import type { AgentProgram } from "../install/agent-program.ts";
import type { JsonRpcCall } from "../json-rpc/json-rpc-message.ts";
import type { AcpInitialized, AcpPermissionOption, AcpToolCall, AcpUpdate } from "./dialect.ts";
import type { ServerCommand } from "./mcp-watch.ts";
import type { AcpRetryLog } from "./retry-log.ts";

/**
 * An agent that speaks the Agent Client Protocol over stdin and stdout, as a description. `acpAdapter` makes an
 * `AgentAdapter` of it; `README.md` says how to add one. What an agent does as the protocol says needs no word here.
 */
export interface AcpAgent {
  readonly id: string;
  readonly displayName: string;
  /** The program, where we can install it. Else `command`. */
  readonly program?: AgentProgram;
  /** Without `program`: a path, or a name to be looked up in `PATH`. */
  readonly command?: string;
  /** As in `AgentAdapter`. Without it the agent is taken to have what it needs. */
  readonly credentials?: AgentCredentials;
  /** What makes the program speak the protocol, e.g. `["acp"]`. */
  readonly args?: readonly string[];
  /** Laid under the environment of the session: what a person has set wins. */
  readonly env?: Readonly<Record<string, string>>;
  readonly capabilities: AgentCapabilities;
  /**
   * The permission modes it has, each with the agent's own session mode that goes with it, if any. Whatever the agent
   * then asks is answered by `decidedByMode` where the mode decides it, and else by a person. Default: all four, without
   * a session mode; right for an agent that asks before it changes anything.
   */
  readonly permissionModes?: Readonly<Partial<Record<PermissionMode, AcpPermissionMode>>>;
  /** As in `AgentAdapter`. */
  readonly unaskedKinds?: readonly ActionKind[];
  /** As in `AgentAdapter`; for what `prepare` and the arguments give the program. */
  readonly profile?: ProfileCapabilities;
  /** Default: `build`, and `plan` where the permission mode `plan` is there. */
  readonly modes?: readonly AgentMode[];
  readonly quirks?: AcpQuirks;
}

interface AcpPermissionMode {
  /** An id of its `modes`, or a value of its config option of category `mode`. One it does not offer is not set. */
  readonly sessionMode?: string;
  /** Told to the model before the first message, for a mode that the agent itself knows nothing of. */
  readonly instructions?: string;
}

/** A request to the agent, and what it answers. */
export type Ask = (method: string, params: object) => Promise<unknown>;

export interface IgnoredSettings {
  /** As phrases. */
  readonly asked: readonly string[];
  /** A sentence that says how the user can have them. */
  readonly howToTrust: string;
}

/** Where, and for whom, a program is started. */
export interface AcpPlace {
  readonly host: AgentHost;
  readonly session: SessionConfig;
  /** What the process will get: the host's environment with the agent's and the session's. */
  readonly env: Readonly<Record<string, string>>;
  /** For programs that are started: how an MCP server is to be started so that it is told when it fails. */
  watchServer?(name: string, command: ServerCommand): Promise<ServerCommand>;
}

/** What an agent does otherwise than the protocol says, or leaves open. All of it optional; functions marked pure are. */
export interface AcpQuirks {
  // Before the process starts

  /** Called before each start, e.g. to write settings into a home of ours. What it answers is laid over the environment. */
  prepare?(place: AcpPlace): Promise<Readonly<Record<string, string>>>;
  /** What files of the session's directory ask for and the program is kept from by `prepare`; told with the first message. */
  ignoredSettings?(place: AcpPlace): Promise<IgnoredSettings | undefined>;
  /** More arguments, after `args`; e.g. for the model. */
  moreArgs?(place: AcpPlace): readonly string[] | Promise<readonly string[]>;
  /** What we offer to do for the agent. Default: neither files nor terminals; most agents do both better themselves. */
  readonly offers?: { readonly files?: boolean; readonly terminals?: boolean };
  /** Told as `_meta` of what we can, for what it does only then. */
  readonly clientMeta?: object;

  // The beginning of a conversation

  /** The id of the way to sign in, told right after `initialize`; `undefined`: not needed. Pure. */
  signIn?(initialized: AcpInitialized, env: Readonly<Record<string, string>>): string | undefined;
  /**
   * Called before `session/load` or `session/resume`; may wait until the agent can. `false`: it cannot, so a new
   * conversation begins and the person is told. Not called where the agent offers neither.
   */
  beforeLoad?(place: AcpPlace, nativeSessionId: string): Promise<boolean>;
  /**
   * After it has answered `session/load` the agent goes on with telling what happened before; this is the last of it.
   * Nothing is asked of it until then. Pure.
   */
  endsReplay?(update: AcpUpdate): boolean;
  /** `load` although it offers `resume`, where only that is right. */
  readonly reopensBy?: "load" | "resume";
  /**
   * The session's model is in the environment or the arguments already and is not told again; `atFirst` where that holds
   * for new conversations only, and one that is loaded has still the model of before.
   */
  readonly modelIsGiven?: "always" | "atFirst";
  /** The model that the environment names, for an agent that does not tell it with its models. Pure. */
  ownModel?(env: Readonly<Record<string, string>>): string | undefined;
  /**
   * Called with the conversation open where the session plans: a sentence that says why the program cannot be kept from
   * changing something, e.g. because its user has allowed it. Then no message is taken.
   */
  whyNotPlan?(ask: Ask, nativeSessionId: string): Promise<string | undefined>;
  /** The system prompt is told elsewhere, e.g. by `prepare`. Else it stands before the first message. */
  readonly instructionsAreGiven?: boolean;
  /**
   * More arguments, by which the program gets the session's instructions each time it starts; they then stand before no
   * message. For a program that forgets what stood there. Pure.
   */
  instructionArgs?(instructions: string): readonly string[];

  // During turns

  /** The address in a link is read as a path, without decoding it, and images and links do not go together. */
  readonly linksArePaths?: boolean;
  /** Only the text of a message is there after a restart, so files and images are listed in it as well. */
  readonly forgetsAttachments?: boolean;

  /** A method of its own by which it tells more updates, of the same form. */
  readonly updateMethod?: string;
  /** What an update really says: itself, another one, several, or nothing (`[]`). Before anything else looks at it. Pure. */
  rewriteUpdate?(update: AcpUpdate): readonly AcpUpdate[];
  /** The call of a request for permission with what else the agent says about it, e.g. in the options it offers. Pure. */
  rewriteRequest?(call: AcpToolCall, options: readonly AcpPermissionOption[]): AcpToolCall;
  /**
   * The same message with what the agent left out of it and is to be had elsewhere, e.g. in a file of its own; `undefined`
   * where nothing is missing. Messages behind it wait. `place.env` is without what `prepare` answered.
   */
  complete?(place: AcpPlace, call: JsonRpcCall): Promise<JsonRpcCall> | undefined;
  /** The name and the kind of a tool where the call does not tell them. Pure. */
  describeTool?(call: AcpToolCall): AcpToolDescription;
  /**
   * Its `allow_always` covers no more than the use that was asked about, or what its title says. Default: not known, so
   * `always` is told as `allow_once`, and the same tool with the same input is allowed from then on without asking.
   */
  readonly remembersNarrowly?: boolean;
  /** Of a use that was refused it says nothing more: what its model is told instead of a result. Pure. */
  refusedOutput?(tool: string): string;
  /**
   * What it does in this use it does without asking for each thing, e.g. by a subagent. It is refused, and that is told,
   * unless everything is allowed. Pure.
   */
  actsUnasked?(call: AcpToolCall): boolean;
  /**
   * A request for permission that is really a question, or several: what is asked. A person who declines refuses it, and
   * what is answered is told as `tellAnswers` says. Pure.
   */
  readQuestions?(call: AcpToolCall): readonly Question[] | undefined;
  /** Laid over the answer that allows it: one list of chosen labels for each question. Pure. */
  tellAnswers?(answers: readonly (readonly string[])[]): object;
  /**
   * The tokens it tells are those of one request to its model, or of everything since its process took the conversation
   * up. `byRequest`: what the answer to the prompt says counts only for a turn without tools, where nothing else was said;
   * better none than wrong ones. Default: those of the turn.
   */
  readonly countsTokens?: "byRequest" | "sinceOpened";
  /** The update tells that a try failed and the model is asked again: what it met. Without news such a turn is given up. Pure. */
  readRetry?(update: AcpUpdate): ErrorData | undefined;
  /** Its log, where that alone tells that the model is asked again. */
  readonly retryLog?: AcpRetryLog;
  /** A refused prompt in a sentence that says what to do; `undefined`: as for every agent. Pure. */
  explainError?(error: {
    readonly code: number;
    readonly message: string;
    readonly data: unknown;
  }): ErrorData | undefined;
  /** The agent ends a turn normally although it failed: what its last message, or its last notice, says about it. Pure. */
  readFailure?(lastText: string): ErrorData | undefined;

  // The end

  /**
   * Called when a turn that began at `since` is completed, before that is told: waits until the program has written down
   * what was said, where it does so later and forgets it when it is ended before. Bounded.
   */
  written?(place: AcpPlace, nativeSessionId: string, since: number): Promise<void>;
  /** Closing its stdin does not end it, so it is ended at once. */
  readonly ignoresEof?: boolean;
  /** A line of stderr that says nothing about why it ended. Pure. */
  isNoise?(line: string): boolean;
}

export interface AcpToolDescription {
  readonly name?: string;
  /** The MCP server that has it, where the agent tells that beside the name. Counts where the session has such a server. */
  readonly mcpServer?: string;
  /** Of a tool of kind `switch_mode`: the plan that a person is asked to approve, where its content does not tell. */
  readonly plan?: string;
  /** Of a request: the change as a unified diff, where its content does not tell. */
  readonly diff?: string;
  /** The agent tells only a part of the input: two uses that look the same may differ, so none is remembered. */
  readonly isAbridged?: boolean;
  /** One of the protocol's: `read`, `edit`, `delete`, `move`, `search`, `execute`, `think`, `fetch`, `switch_mode`, `other`. */
  readonly kind?: string;
}
