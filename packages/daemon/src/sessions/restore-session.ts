import type {
  AgentAdapter,
  AgentHost,
  SessionConfig as AgentSessionConfig,
  Conversation,
} from "@sandbox-agent-ts/agents";
import { daemonEvent, type EventDraft, type RestoreRequest, SandboxError } from "@sandbox-agent-ts/protocol";
import { conversationText } from "./conversation-text.ts";

/** A conversation that happened elsewhere and with which a session begins, as its record keeps it. */
export interface RestoredSession {
  readonly about: { readonly events?: number; readonly files?: number; readonly native: boolean };
  /** The agent's own id of it, where the agent has it. */
  readonly nativeSessionId?: string;
  /** What is still to be said to an agent that has it not, before the first message. */
  readonly text?: string;
}

export interface Restoration {
  readonly restored: RestoredSession;
  /** What the agent will find as its own memory. */
  readonly memory?: unknown;
}

export interface RestoreTarget {
  readonly adapter: AgentAdapter;
  readonly agentHost: AgentHost;
  readonly session: AgentSessionConfig;
}

/** Give a conversation to the agent: natively where it can be given so, else as text before the first message. */
export async function restoreSession(
  request: RestoreRequest,
  { adapter, agentHost, session }: RestoreTarget,
): Promise<Restoration> {
  const conversation = conversationOf(request);
  const about =
    "events" in conversation ? { events: conversation.events.length } : { files: conversation.files.length };
  try {
    const native = await adapter.restore?.({ host: agentHost, session, conversation });
    if (native) {
      const { nativeSessionId, memory } = native;
      return { restored: { about: { ...about, native: true }, nativeSessionId }, ...(memory ? { memory } : {}) };
    }
  } catch (error) {
    if (!("events" in conversation)) throw error;
    agentHost.log.warn(
      { err: error, sessionId: session.sessionId },
      "a conversation is restored as text instead of natively",
    );
  }
  if (!("events" in conversation)) throw takesNoFiles(adapter);
  return { restored: { about: { ...about, native: false }, text: conversationText(conversation.events) } };
}

function conversationOf(request: RestoreRequest): Conversation {
  if ("events" in request) return { events: request.events };
  return { nativeSessionId: request.nativeSessionId, files: request.transcript };
}

function takesNoFiles({ id, displayName }: AgentAdapter): SandboxError {
  const sentence = `${displayName} takes no transcript files. Restore the conversation from its events.`;
  return new SandboxError("invalid_request", sentence, {
    agent: id,
    details: { issues: [{ path: "restore.transcript", message: "not known by this agent; send events" }] },
  });
}

/** The start of a session's log, which says when there was a conversation before it. */
export function sessionStarted(restored: RestoredSession | undefined): EventDraft {
  const data = restored ? { metadata: { restored: restored.about } } : {};
  return daemonEvent({ type: "session.started", data });
}
