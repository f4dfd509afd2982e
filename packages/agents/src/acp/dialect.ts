/**
 * The Agent Client Protocol, version 1, as far as we read it. Every field is optional whatever the protocol promises:
 * agents differ, and what one leaves out must not stop us. A test holds these types against those of the official SDK.
 */

export const PROTOCOL_VERSION = 1;

type Meta = Readonly<Record<string, unknown>> | null;

export interface AcpContent {
  readonly type?: string;
  readonly text?: string;
  /** Of an image or a sound, in base64. */
  readonly data?: string;
  readonly mimeType?: string | null;
  readonly uri?: string | null;
  readonly name?: string;
  readonly resource?: { readonly uri?: string; readonly text?: string; readonly mimeType?: string | null };
}

/** A piece of a tool's result: content, the change of a file, or what a terminal of ours shows. */
export interface AcpToolContent {
  readonly type?: string;
  readonly content?: AcpContent;
  readonly path?: string;
  readonly oldText?: string | null;
  readonly newText?: string;
  readonly terminalId?: string;
}

export interface AcpToolCall {
  readonly toolCallId?: string;
  readonly title?: string | null;
  readonly name?: string | null;
  readonly kind?: string | null;
  readonly status?: string | null;
  readonly content?: readonly AcpToolContent[] | null;
  readonly locations?: readonly { readonly path?: string; readonly line?: number | null }[] | null;
  readonly rawInput?: unknown;
  readonly rawOutput?: unknown;
  readonly _meta?: Meta;
}

/** What the agent tells in `session/update`: all kinds in one, told apart by `sessionUpdate`. */
export interface AcpUpdate extends Omit<AcpToolCall, "content"> {
  readonly sessionUpdate?: string;
  readonly content?: AcpContent | readonly AcpToolContent[] | null;
  readonly messageId?: string | null;
  readonly entries?: readonly { readonly content?: string; readonly status?: string }[];
  readonly currentModeId?: string;
  readonly configOptions?: readonly AcpConfigOption[];
  readonly used?: number;
  readonly size?: number;
  readonly cost?: { readonly amount?: number; readonly currency?: string } | null;
  readonly severity?: string;
  readonly compactionId?: string;
  readonly error?: string | null;
  /** Ours, set by `rewriteUpdate`: the call of the tool that started the subagent which says this. */
  readonly parentToolCallId?: string;
}

export interface AcpConfigOption {
  readonly id?: string;
  readonly name?: string;
  readonly category?: string | null;
  readonly type?: string;
  readonly currentValue?: string | boolean;
  readonly options?: readonly AcpConfigChoice[];
}

/** A value, or a group of them. */
export interface AcpConfigChoice {
  readonly value?: string;
  readonly name?: string;
  readonly description?: string | null;
  readonly options?: readonly AcpConfigChoice[];
}

interface AcpModeState {
  readonly currentModeId?: string;
  readonly availableModes?: readonly {
    readonly id?: string;
    readonly name?: string;
    readonly description?: string | null;
  }[];
}

/** Of an older draft; some agents still have it. */
interface AcpModelState {
  readonly currentModelId?: string;
  readonly availableModels?: readonly { readonly modelId?: string; readonly name?: string }[];
}

export interface AcpInitialized {
  readonly protocolVersion?: number;
  readonly agentInfo?: { readonly name?: string; readonly version?: string } | null;
  readonly authMethods?: readonly {
    readonly id?: string;
    readonly name?: string;
    readonly description?: string | null;
  }[];
  readonly agentCapabilities?: {
    readonly loadSession?: boolean;
    readonly promptCapabilities?: {
      readonly image?: boolean;
      readonly audio?: boolean;
      readonly embeddedContext?: boolean;
    };
    readonly mcpCapabilities?: { readonly http?: boolean; readonly sse?: boolean };
    readonly sessionCapabilities?: { readonly resume?: object | null; readonly delete?: object | null };
  };
}

/** The answer to `session/new`, `session/load` and `session/resume`. */
export interface AcpOpened {
  readonly sessionId?: string;
  readonly modes?: AcpModeState | null;
  readonly models?: AcpModelState | null;
  readonly configOptions?: readonly AcpConfigOption[] | null;
}

export interface AcpPermissionOption {
  readonly optionId?: string;
  readonly name?: string;
  readonly kind?: string;
}

export interface AcpPermissionRequest {
  readonly toolCall?: AcpToolCall;
  readonly options?: readonly AcpPermissionOption[];
}

export interface AcpTokens {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedReadTokens?: number | null;
  readonly cachedWriteTokens?: number | null;
  readonly thoughtTokens?: number | null;
}

export interface AcpPromptResult {
  readonly stopReason?: string;
  readonly usage?: AcpTokens | null;
  readonly _meta?: Meta;
}

export interface AcpElicitation {
  readonly mode?: string;
  readonly message?: string;
  readonly requestedSchema?: {
    readonly properties?: Readonly<Record<string, AcpFormField>>;
    readonly required?: readonly string[] | null;
  };
}

export interface AcpFormField {
  readonly type?: string;
  readonly title?: string | null;
  readonly description?: string | null;
  readonly enum?: readonly string[] | null;
  readonly oneOf?: readonly AcpFormChoice[] | null;
  readonly items?: {
    readonly type?: string;
    readonly enum?: readonly string[];
    readonly anyOf?: readonly AcpFormChoice[];
  };
}

interface AcpFormChoice {
  readonly const?: string;
  readonly title?: string;
}
