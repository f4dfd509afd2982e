import type {
  ActionKind,
  AgentCapabilities,
  AgentMode,
  AgentModelsResponse,
  Cost,
  EventDraft,
  FileAttachment,
  HookEvent,
  McpServerConfig,
  PermissionMode,
  PermissionReply,
  ProfileEntity,
  ProfileHook,
  ProfileSubagent,
  RequestResolver,
  ServerStatusInfo,
  SessionEndedData,
  SkillsConfig,
  TurnEndReason,
  UniversalEvent,
  Usage,
} from "@sandbox-agent-ts/protocol";
import type { AgentCredentials } from "./credentials/agent-credentials.ts";
import type { AgentProgram, LocatedProgram } from "./install/agent-program.ts";
import type { AgentProcess, SpawnOptions } from "./process/agent-process.ts";
import type { TranscriptFile } from "./transcripts/transcript-dialect.ts";

/**
 * One coding agent program, as the daemon sees it.
 *
 * An adapter is a folder under `agents/` whose `index.ts` exports it as `adapter`; nothing outside that folder names it.
 * It is created once per daemon, before any session, and must be cheap to import: no work happens until a method is called.
 *
 * An adapter knows its agent's dialect and nothing else. It never writes to the log, never numbers an event, never reads
 * the daemon's environment, files or network by itself: the `AgentHost` it is handed is its whole world.
 */
export interface AgentAdapter {
  /** Stable, lower case, used on the wire (`claude`). */
  readonly id: string;
  /** For people (`Claude Code`). */
  readonly displayName: string;
  /** True only where a test against the real agent shows it. */
  readonly capabilities: AgentCapabilities;
  /** Permission modes the agent can honour; a session asking for another is refused with `mode_not_supported`. */
  readonly permissionModes: readonly PermissionMode[];
  /**
   * Kinds of action that it takes without asking in permission mode `default` although `asksEverything` is set, so that no
   * policy can decide about them; a rule that would is refused. Default: `read`.
   */
  readonly unaskedKinds?: readonly ActionKind[];
  /**
   * What of a profile it takes: without a word all but subagents and hooks, and MCP servers where `mcpTools` says so. What
   * it does not take the user is told as lost.
   */
  readonly profile?: ProfileCapabilities;

  /**
   * Is the program there, in which version, and can it reach its model? Called on every `GET /v1/agents`, so answer from
   * a cache keyed by path and modification time. Must not start a session, must not throw for "not installed".
   */
  probe(host: AgentHost): Promise<AgentProbe>;

  /** The modes a session may be created with. The first is not special: the default is `build`. */
  modes(host: AgentHost): Promise<readonly AgentMode[]>;

  /** The models a session may be created with. */
  models(host: AgentHost): Promise<AgentModelsResponse>;

  /**
   * Why a session cannot have this model or this variant, as far as that is known before it is opened; undefined when it can,
   * or when nobody knows yet. Asked before a session is created or changed with one of them. May reject when the program
   * cannot be asked: then the session is opened all the same. What is found out only then is told in the turn, never ignored.
   */
  refuseModel?(host: AgentHost, session: ModelWish): Promise<ModelRefusal | undefined>;

  /**
   * The program it drives; absent for an agent that needs none. A description and no code: the daemon installs it, before
   * `open` when it is missing and by `POST /v1/agents/{agent}/install`, and an adapter asks `probeProgram` and
   * `requireProgram` where it is.
   */
  readonly program?: AgentProgram;

  /**
   * Where it keeps what it signs in with. A description: `hasCredentials` looks for `probe`, and from `sharedKeys` the
   * daemon knows what an agent without a sign-in of its own may be given.
   */
  readonly credentials?: AgentCredentials;

  /** Laid under the environment of the program, also where a person starts it with `sandbox-agent exec`. */
  readonly programEnv?: Readonly<Record<string, string>>;

  /**
   * Begin, or with `nativeSessionId` go on with, a conversation.
   *
   * Called once when a session is created and again on the first message after the agent's process was lost (crash,
   * daemon restart). May start a process or only prepare one; whatever it starts is gone after `AgentSession.close`.
   * Throws a `SandboxError` that says what to do when the agent cannot be used; the session survives that and the next
   * message tries again.
   */
  open(options: OpenOptions): Promise<AgentSession>;

  /**
   * Put a conversation that happened elsewhere where the program finds it, so that `open` goes on with it by the id that is
   * answered and the model sees all of it. Called at most once for a session, before its first `open`. Files that are not
   * this agent's are refused with `invalid_request`. No such method: the daemon tells the agent what was said before the
   * first message.
   */
  restore?(options: RestoreOptions): Promise<RestoredConversation>;

  /** State of the process that sessions share, for agents that have one. */
  serverStatus?(): ServerStatusInfo | undefined;

  /** End everything shared by sessions. Called once, after all sessions are closed. */
  close?(): Promise<void>;
}

export interface RestoreOptions {
  readonly host: AgentHost;
  readonly session: SessionConfig;
  readonly conversation: Conversation;
}

/** What happened with any agent, as events; or this agent's own files, with the id it knew the conversation by. */
export type Conversation =
  | { readonly events: readonly UniversalEvent[] }
  | { readonly nativeSessionId: string; readonly files: readonly TranscriptFile[] };

export interface RestoredConversation {
  readonly nativeSessionId: string;
  /** What `open` shall find as its `memory`. */
  readonly memory?: unknown;
}

/** True only where the contract suite shows it. */
export interface ProfileCapabilities {
  /** It has subagents of the session, with these of their fields besides description and prompt. */
  readonly subagents?: readonly ("tools" | "model")[];
  /** The events at which it runs the session's hooks. */
  readonly hooks?: readonly HookEvent[];
  /** What it does not take: why, as a sentence. */
  readonly lacks?: Readonly<Partial<Record<ProfileEntity, string>>>;
}

/** The model and variant that a session wants. */
export type ModelWish = Pick<AgentSettings, "model" | "variant">;

export interface ModelRefusal {
  readonly field: "model" | "variant";
  /** A sentence that says what there is instead. */
  readonly message: string;
}

export interface AgentProbe {
  readonly installed: boolean;
  readonly credentialsAvailable: boolean;
  readonly version?: string;
  readonly path?: string;
  readonly source?: LocatedProgram["source"];
}

/** What an adapter may touch of the world, common to all its sessions. */
export interface AgentHost {
  /** The environment for agent processes: the daemon's own, without the daemon's secrets. */
  readonly env: Readonly<Record<string, string>>;
  /** A private directory of this agent in the daemon's data directory; exists when handed over. */
  readonly dataDir: string;
  /** Where the programs of all agents are installed; for `probeProgram` and `requireProgram`. */
  readonly installRoot: string;
  readonly log: AgentLogger;
  /**
   * Start a program under supervision. Never spawn any other way: the supervisor is what guarantees that no process
   * outlives its session, even when the daemon is killed.
   */
  spawn(options: SpawnOptions): AgentProcess;
}

export interface AgentLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What may change between two turns of a session. */
export interface AgentSettings {
  readonly agentMode: string;
  readonly permissionMode: PermissionMode;
  readonly model?: string;
  /** The session had a model and has none any more: a conversation that still has it goes back to the agent's own. */
  readonly usesOwnModel?: true;
  readonly variant?: string;
  /** A policy decides: ask before whatever the program can be made to ask about, also before what only looks. */
  readonly asksEverything?: true;
}

export interface SessionConfig extends AgentSettings {
  readonly sessionId: string;
  readonly directory: string;
  readonly agentVersion?: string;
  readonly systemPrompt?: string;
  readonly mcp?: Readonly<Record<string, McpServerConfig>>;
  readonly skills?: SkillsConfig;
  /** Subagents by name, for an adapter that declares them; put where the program finds them in this session alone. */
  readonly subagents?: Readonly<Record<string, ProfileSubagent>>;
  /** For an adapter that declares hooks, which leaves out those of events that it does not declare. */
  readonly hooks?: readonly ProfileHook[];
  /** Environment of this session alone, to be laid over `host.env`. */
  readonly env: Readonly<Record<string, string>>;
}

export interface OpenOptions {
  readonly host: AgentHost;
  readonly session: SessionConfig;
  /** The agent's own id of a conversation to go on with. */
  readonly nativeSessionId?: string;
  /** Prefix for `item_id`s, unique to this `open`: `${itemPrefix}1`, `${itemPrefix}2` … are this adapter's to use. */
  readonly itemPrefix: string;
  /**
   * Say what happened. Synchronous and cheap; call it once per batch of drafts that belong to one read of the pipe.
   *
   * Allowed from `open` until `close` resolves. The daemon numbers the drafts in the order given, so order is the
   * adapter's promise. Drafts carry `raw`, the native line as it came, where there is one.
   *
   * Not the adapter's to emit: `turn.*` and the user's own message (the daemon brackets every prompt with them),
   * `session.started`, and resolutions of requests a person answered. An adapter does emit `permission.resolved` /
   * `question.resolved` with `resolved_by: "agent"` when the agent withdraws its own request. Items it leaves open at the
   * end of a turn are closed by the daemon as failed, its open requests are resolved as rejected.
   *
   * A request says what it is about: `kind`, `tool`, `paths`, `command` and so on, as `permissionAbout` makes them, and the
   * `call_id` and `item_id` of its tool call, whose `item.started` comes first. What an earlier `always` lets pass is one
   * `permission.resolved` with `resolved_by: "remembered"` and an id of its own, without a request. A mode that the agent
   * left or entered, e.g. with an approved plan, is `session.updated`.
   *
   * That this conversation can never go on is said in one of two ways, so that `turn.ended` always comes before
   * `session.ended`: while a prompt runs, in `TurnOutcome.sessionEnded` and never through `emit`; between prompts, where
   * there is no outcome, by emitting `session.ended` as the last draft of all.
   */
  emit(drafts: readonly EventDraft[]): void;
  /** Tell the daemon the agent's own session id as soon as it is known; later events carry it. */
  setNativeSessionId(id: string): void;
  /** What an earlier `open` of this session gave to `remember` last; not there when none did. Written by us, read with care. */
  readonly memory?: unknown;
  /**
   * Keep a small JSON value for the next `open` of this session, in place of the one before: what a person settled for the
   * whole session and the program itself forgets when its process ends, e.g. uses allowed for always or the end of plan
   * mode. When it returns the value survives `kill -9` of the daemon. Not for secrets, not for what the program keeps.
   */
  remember(value: unknown): void;
}

/**
 * One conversation with the agent. The daemon calls `prompt` strictly one at a time; everything else may come while a
 * prompt runs.
 */
export interface AgentSession {
  /**
   * Run one turn. Resolves when the agent is idle again, after everything the turn caused has been emitted; a turn that
   * went wrong inside the agent resolves with `reason: "error"`. Rejects with a `SandboxError` only when the agent could
   * not be driven (it died, its pipe broke); the daemon then closes this session and opens a new one for the next turn.
   */
  prompt(input: PromptInput): Promise<TurnOutcome>;

  /**
   * Stop the running prompt, which then resolves with `reason: "interrupted"`, normally within a second; the daemon
   * closes the session when it takes longer than its limit. The conversation stays usable. No prompt running: do nothing.
   */
  interrupt(): Promise<void>;

  /**
   * A person, the session's policy or a timeout decided. Called at most once per request, after the decision is in the log.
   * `reason` says why; with `reject` the model is told it where the agent can be made to, and the words of a person always.
   */
  answerPermission(
    permissionId: string,
    reply: PermissionReply,
    reason?: string,
    resolvedBy?: RequestResolver,
  ): Promise<void>;

  /** A person answered, or declined (`null`). Called at most once per request, after it is in the log. */
  answerQuestion(questionId: string, answers: readonly (readonly string[])[] | null): Promise<void>;

  /**
   * Work with these settings from the next prompt on; called between prompts only, and not when `asksEverything` changes.
   * `false`, or no such method: the daemon
   * closes this session and opens the conversation anew with them.
   */
  update?(settings: AgentSettings): Promise<boolean>;

  /** Idempotent. When it resolves nothing more is emitted and no process of this session is left. A running prompt rejects. */
  close(): Promise<void>;
}

export interface PromptInput {
  readonly turnId: string;
  readonly message: string;
  readonly attachments: readonly FileAttachment[];
}

export interface TurnOutcome {
  readonly reason: TurnEndReason;
  /** Why, when the reason is `error`, or what else there is to know of it: a sentence that says what to do. */
  readonly message?: string;
  readonly usage?: Usage;
  readonly cost?: Cost;
  readonly model?: string;
  /**
   * The agent says that this conversation is over for good: the daemon writes `turn.ended`, then `session.ended` with
   * these data as the agent's own event, then calls `close`. The last turn may have any `reason`. Absent: the conversation goes on.
   */
  readonly sessionEnded?: SessionEndedData;
}
