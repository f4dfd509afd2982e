export { SandboxAgentProvider, type SandboxAgentProviderProps, useSandboxAgent } from "./hooks/provider.ts";
export { type UseAgents, useAgents } from "./hooks/use-agents.ts";
export { useEvents } from "./hooks/use-events.ts";
export { type UseRequests, type UseShortRequests, useRequests } from "./hooks/use-requests.ts";
export { type UseSendMessage, useSendMessage } from "./hooks/use-send-message.ts";
export { type UseSession, useSession } from "./hooks/use-session.ts";
export { type UseSessions, useSessions } from "./hooks/use-sessions.ts";
export { useTranscript } from "./hooks/use-transcript.ts";
export type { QueuedMessage } from "./stores/outbox.ts";
export type {
  PendingPermission,
  PendingQuestion,
  PendingRequests,
  ShortPermission,
  ShortQuestion,
  ShortRequests,
} from "./stores/pending-requests.ts";
export type { StreamState as Connection } from "./stores/session-stream.ts";
