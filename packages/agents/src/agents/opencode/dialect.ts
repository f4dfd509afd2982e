/**
 * What `opencode serve` says, as far as we read it. Every field may be missing: a new version must not break a turn.
 * Found by running 1.18.33 and from the schema it serves itself.
 */
export interface OpencodeEvent {
  readonly type: string;
  readonly properties: EventProperties;
  /** As it came. */
  readonly raw: string;
}

/** The fields of all kinds of events in one: `type` says which to look for. */
export interface EventProperties {
  sessionID?: string;
  /** session.created, session.updated, message.updated */
  info?: MessageInfo & { parentID?: string };
  /** message.part.updated */
  part?: Part;
  /** message.part.delta */
  messageID?: string;
  partID?: string;
  field?: string;
  delta?: string;
  /** session.status */
  status?: { type?: string; attempt?: number; message?: string; next?: number };
  /** session.error */
  error?: NativeError;
  /** todo.updated */
  todos?: readonly { content?: string; status?: string }[];
  /** permission.asked, question.asked */
  id?: string;
  permission?: string;
  patterns?: readonly string[];
  metadata?: Readonly<Record<string, unknown>>;
  tool?: { messageID?: string; callID?: string };
  questions?: readonly NativeQuestion[];
  /** permission.replied, question.replied, question.rejected */
  requestID?: string;
}

export interface MessageInfo {
  id?: string;
  sessionID?: string;
  role?: string;
  parentID?: string;
  agent?: string;
  modelID?: string;
  providerID?: string;
  time?: { created?: number; completed?: number };
  error?: NativeError;
}

export interface NativeError {
  name?: string;
  data?: { message?: string; statusCode?: number; responseBody?: string };
}

/** All kinds of parts of a message in one: `type` says which fields to look for. */
export interface Part {
  id?: string;
  sessionID?: string;
  messageID?: string;
  type?: string;
  /** text, reasoning */
  text?: string;
  synthetic?: boolean;
  time?: { start?: number; end?: number };
  /** tool */
  tool?: string;
  callID?: string;
  state?: ToolState;
  /** step-finish */
  tokens?: Tokens;
  cost?: number;
  /** patch */
  files?: readonly string[];
  /** file */
  mime?: string;
  url?: string;
  filename?: string;
}

export interface ToolState {
  status?: string;
  input?: Readonly<Record<string, unknown>>;
  output?: string;
  error?: string;
  metadata?: ToolMetadata;
  attachments?: readonly Part[];
  time?: { start?: number; end?: number };
}

interface ToolMetadata {
  readonly [name: string]: unknown;
  /** bash */
  output?: unknown;
  exit?: number | null;
  truncated?: boolean;
  interrupted?: boolean;
  /** write */
  filepath?: string;
  exists?: boolean;
  /** edit */
  diff?: string;
  /** apply_patch */
  files?: readonly PatchedFile[];
  /** task */
  sessionId?: string;
}

export interface PatchedFile {
  filePath?: string;
  movePath?: string;
  type?: string;
  patch?: string;
}

export interface Tokens {
  input?: number;
  output?: number;
  reasoning?: number;
  cache?: { read?: number; write?: number };
}

export interface NativeQuestion {
  question?: string;
  header?: string;
  options?: readonly { label?: string; description?: string }[];
  multiple?: boolean;
}

/** The last rule that matches decides; both `permission` and `pattern` may have `*` and `?` in them. */
export interface PermissionRule {
  readonly permission: string;
  readonly pattern: string;
  readonly action: "allow" | "ask" | "deny";
}

export interface NativeAgent {
  name?: string;
  description?: string;
  mode?: string;
  hidden?: boolean | null;
  permission?: readonly PermissionRule[];
}

export interface NativeProviders {
  providers?: readonly {
    id?: string;
    name?: string;
    models?: Readonly<Record<string, { id?: string; name?: string; variants?: Readonly<Record<string, unknown>> }>>;
  }[];
  /** A model for each provider. */
  default?: Readonly<Record<string, string>>;
}

/** The one a conversation used last. */
export interface NativeModel {
  id?: string;
  providerID?: string;
}

/** What `opencode export` prints and `opencode import` takes. */
export interface NativeTranscript {
  info?: { id?: string; directory?: string; parentID?: string };
  messages?: readonly { info?: MessageInfo; parts?: readonly Part[] }[];
}
