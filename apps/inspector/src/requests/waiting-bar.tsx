import { useRequests, useSessions } from "@sandbox-agent-ts/react";
import { Icon } from "../controls/icon.tsx";
import { formatRoute } from "../route/route.ts";
import { sessionName } from "../sessions/session-name.ts";
import "./waiting-bar.css";

/** Requests of sessions that are not on the screen, so that nobody waits unseen. */
export function WaitingBar({ selected }: { selected: string | undefined }) {
  const { permissions, questions } = useRequests();
  const { sessions } = useSessions();
  const all = [
    ...permissions.map(({ sessionId, permission_id, action }) => ({ sessionId, key: permission_id, text: action })),
    ...questions.map(({ sessionId, question_id, prompt }) => ({ sessionId, key: question_id, text: prompt })),
  ];
  const [first, ...rest] = all.filter(({ sessionId }) => sessionId !== selected);
  const session = sessions.find(({ sessionId }) => sessionId === first?.sessionId);
  return (
    <div role="status">
      {first && (
        <a
          className="waiting-bar"
          href={formatRoute({ page: "session", sessionId: first.sessionId, tab: "conversation" })}
        >
          <Icon name="question" />
          <span className="truncate">
            <b>{session ? sessionName(session) : first.sessionId}</b> waits for you: {first.text.split("\n", 1)[0]}
          </span>
          {rest.length > 0 && <span className="waiting-more">and {rest.length} more</span>}
          <span className="waiting-go">Answer</span>
        </a>
      )}
    </div>
  );
}
