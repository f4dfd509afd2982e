import { useRequests } from "@sandbox-agent-ts/react";
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
        <PermissionCard
          key={permission.permission_id}
          permission={permission}
          onReply={(reply) => replyPermission(permission, reply)}
        />
      ))}
      {questions.map((question) => (
        <QuestionCard
          key={question.question_id}
          question={question}
          onAnswer={(answers) => replyQuestion(question, answers)}
          onDecline={() => rejectQuestion(question)}
        />
      ))}
    </div>
  );
}
