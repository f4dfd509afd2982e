import type { SessionInfo } from "@sandbox-agent-ts/protocol";

export function sessionName({ title, sessionId }: Pick<SessionInfo, "title" | "sessionId">): string {
  return title?.trim() || sessionId;
}

/** Every word must be found somewhere: title, id, agent, model, directory or status. */
export function matchesSearch(session: SessionInfo, search: string): boolean {
  const { title, sessionId, agent, model, directory, status } = session;
  const text = [title, sessionId, agent, model, directory, status].join(" ").toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
