/**
 * What a scripted model says, as plain data in the language of `@sandbox-agent-ts/testing`: the part of it that scenarios
 * use, spelled out here because agents do not depend on that package. `startModel({ script })` takes it as it is.
 */
export interface ModelScript {
  conversations: ModelConversation[];
}

export interface ModelConversation {
  name: string;
  /** Begins with the newest message of the user that holds this text. */
  when: { prompt: string };
  steps: ModelStep[];
}

/** One answer of the model: its reasoning first, then its text, then its tool calls. */
export interface ModelStep {
  reasoning?: string | string[];
  /** As an array: in exactly these chunks. */
  text?: string | string[];
  toolCalls?: ModelToolCall[];
  usage?: { input?: number; output?: number; cached?: number; reasoning?: number };
  delayMs?: number | { first?: number; between?: number };
  /** Without a status it arrives inside of the stream. */
  error?: { status?: number; type?: string; message?: string; retryAfterSeconds?: number };
  /** Break the connection after so many chunks; `true`: after all of them but before the end. */
  cut?: number | true;
  /** Fall silent after so many chunks. */
  hang?: number | true;
  /** Names for parts of the request, used as `{{name}}` in this step, e.g. the working directory an agent tells its model. */
  capture?: Record<string, RegExp>;
  repeat?: number | "forever";
}

export interface ModelToolCall {
  name: string;
  /** A string for a freeform tool. */
  input?: string | Record<string, unknown>;
  id?: string;
  namespace?: string;
}

/** A scripted model while it runs: what it was asked, oldest first. The requests of `startModel` are such requests. */
export interface ModelWitness {
  readonly requests: readonly SeenRequest[];
  /** Requests for which the script had nothing. */
  readonly problems?: readonly string[];
}

export interface SeenRequest {
  readonly model: string;
  readonly system: string;
  readonly tools: readonly string[];
  readonly messages: readonly SeenMessage[];
}

interface SeenMessage {
  readonly role: "user" | "assistant" | "system";
  readonly text: string;
  readonly images: readonly unknown[];
  readonly toolResults: readonly { readonly text: string; readonly isError: boolean }[];
}
