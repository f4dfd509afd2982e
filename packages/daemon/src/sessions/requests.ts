import type { AgentSession } from "@sandbox-agent/agents";
import { type PermissionReply, SandboxError } from "@sandbox-agent/protocol";
import { daemonEvent } from "./drafts.ts";
import type { SessionRecorder } from "./session-recorder.ts";

type CurrentAgent = () => Promise<AgentSession | undefined>;

/** A person's decision: into the log first, where the first one wins, then to the agent. */
export async function answerPermission(
  recorder: SessionRecorder,
  permissionId: string,
  reply: PermissionReply,
  agent: CurrentAgent,
): Promise<void> {
  await recorder.mended();
  const { permissions } = recorder.state;
  const pending = Object.hasOwn(permissions, permissionId) ? permissions[permissionId] : undefined;
  if (!pending) throw await whyNotPending(recorder, "permission", permissionId);
  const status = reply === "reject" ? "denied" : "approved";
  await recorder.recordDurably([daemonEvent({ type: "permission.resolved", data: { ...pending, status, reply } })]);
  await (await agent())?.answerPermission(permissionId, reply);
}

/** A person's answers, or `null` for none: into the log first, where the first one wins, then to the agent. */
export async function answerQuestion(
  recorder: SessionRecorder,
  questionId: string,
  answers: string[][] | null,
  agent: CurrentAgent,
): Promise<void> {
  await recorder.mended();
  const { questions } = recorder.state;
  const pending = Object.hasOwn(questions, questionId) ? questions[questionId] : undefined;
  if (!pending) throw await whyNotPending(recorder, "question", questionId);
  if (answers) checkAnswers(pending.questions?.length ?? 1, answers, recorder.log.sessionId);
  const resolution = answers
    ? { status: "answered" as const, answers, response: (answers[0] ?? []).join(", ") }
    : { status: "rejected" as const };
  await recorder.recordDurably([daemonEvent({ type: "question.resolved", data: { ...pending, ...resolution } })]);
  await (await agent())?.answerQuestion(questionId, answers);
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
