import type { AgentSession } from "@sandbox-agent-ts/agents";
import { type EventPayload, type PermissionReplyRequest, SandboxError } from "@sandbox-agent-ts/protocol";
import type { AgentLink } from "./agent-link.ts";
import { daemonEvent } from "./drafts.ts";
import type { SessionRecorder } from "./session-recorder.ts";

/** A person's decision: into the log first, where the first one wins, then to the agent. */
export async function answerPermission(
  recorder: SessionRecorder,
  permissionId: string,
  { reply, reason }: PermissionReplyRequest,
  agent: AgentLink,
): Promise<void> {
  await recorder.mended();
  const { permissions } = recorder.state;
  const pending = Object.hasOwn(permissions, permissionId) ? permissions[permissionId] : undefined;
  if (!pending) throw await whyNotPending(recorder, "permission", permissionId);
  const status = reply === "reject" ? "denied" : "approved";
  const words = reason?.trim() || undefined;
  const decision = {
    type: "permission.resolved",
    data: { ...pending, status, reply, resolved_by: "person", ...(words === undefined ? {} : { reason: words }) },
  } as const;
  await decide(recorder, decision, agent, (it) => it.answerPermission(permissionId, reply, words));
}

/** A person's answers, or `null` for none: into the log first, where the first one wins, then to the agent. */
export async function answerQuestion(
  recorder: SessionRecorder,
  questionId: string,
  answers: string[][] | null,
  agent: AgentLink,
): Promise<void> {
  await recorder.mended();
  const { questions } = recorder.state;
  const pending = Object.hasOwn(questions, questionId) ? questions[questionId] : undefined;
  if (!pending) throw await whyNotPending(recorder, "question", questionId);
  if (answers) checkAnswers(pending.questions?.length ?? 1, answers, recorder.log.sessionId);
  const resolution = answers
    ? { status: "answered" as const, answers, response: (answers[0] ?? []).join(", ") }
    : { status: "rejected" as const };
  const decision = { type: "question.resolved", data: { ...pending, ...resolution, resolved_by: "person" } } as const;
  await decide(recorder, decision, agent, (it) => it.answerQuestion(questionId, answers));
}

/** Once it is in the log a decision stands: the agent is told also if it could not be made durable. */
async function decide(
  recorder: SessionRecorder,
  decision: EventPayload,
  agent: AgentLink,
  say: (agent: AgentSession) => Promise<void>,
): Promise<void> {
  await recorder.record([daemonEvent(decision)]);
  try {
    await recorder.log.sync();
  } finally {
    await agent.tell(say);
  }
}

function checkAnswers(expected: number, answers: string[][], sessionId: string): void {
  if (answers.length === expected) return;
  throw new SandboxError(
    "invalid_request",
    `There are ${expected} questions and ${answers.length} answers. Send one array of labels for each question.`,
    { sessionId, details: { issues: [{ path: "answers", message: `expected ${expected} arrays` }] } },
  );
}

/** The log knows every request there ever was, so nothing has to be remembered for late answers. */
async function whyNotPending(
  recorder: SessionRecorder,
  kind: "permission" | "question",
  id: string,
): Promise<SandboxError> {
  const { sessionId } = recorder.log;
  const mark = Buffer.from(`"${kind}_id":${JSON.stringify(id)}`).toString("latin1");
  for await (const chunk of recorder.log.read(0, Number.POSITIVE_INFINITY, false)) {
    if (chunk.text.includes(mark)) {
      return new SandboxError("request_already_resolved", `The ${kind} "${id}" has been settled already.`, {
        sessionId,
      });
    }
  }
  return new SandboxError("request_not_found", `This session has no ${kind} "${id}".`, { sessionId });
}
