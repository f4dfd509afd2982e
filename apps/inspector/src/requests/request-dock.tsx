import { useRequests } from "@sandbox-agent-ts/react";
import { ErrorBoundary } from "../controls/error-boundary.tsx";
import { PermissionCard } from "./permission-card.tsx";
import { QuestionCard } from "./question-card.tsx";
import "./request-dock.css";

/** What the agent of this session wants to know, always in sight. */
export function RequestDock({ sessionId }: { sessionId: string }) {
  const { permissions, questions, replyPermission, replyQuestion, rejectQuestion } = useRequests(sessionId);
  const count = permissions.length + questions.length;
  return (
    <div className={count > 0 ? "request-dock request-dock-open" : "request-dock"}>
      <p className="visually-hidden" role="alert">
        {count > 0 ? "The agent waits for your answer. Press Alt R to go there." : ""}
      </p>
      {permissions.map((permission) => (
        <ErrorBoundary key={permission.permission_id} what="A request" resetOn={permission}>
          <PermissionCard permission={permission} onReply={(reply) => replyPermission(permission, reply)} />
        </ErrorBoundary>
      ))}
      {questions.map((question) => (
        <ErrorBoundary key={question.question_id} what="A question" resetOn={question}>
          <QuestionCard
            question={question}
            onAnswer={(answers) => replyQuestion(question, answers)}
            onDecline={() => rejectQuestion(question)}
          />
        </ErrorBoundary>
      ))}
    </div>
  );
}
