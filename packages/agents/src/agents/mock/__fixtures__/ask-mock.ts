import type { PermissionReply } from "@sandbox-agent-ts/protocol";
import type { AgentHarness, HarnessTurn } from "../../../contract/agent-harness.ts";
import { eventsOf } from "../../../contract/stream-readers.ts";

/** A turn that asks for permission, and is answered. */
export async function promptAndPermit(
  harness: AgentHarness,
  message: string,
  reply: PermissionReply,
): Promise<HarnessTurn> {
  const turn = harness.prompt(message);
  const { data } = await harness.next("permission.requested");
  await harness.answerPermission(data.permission_id, reply);
  return await turn;
}

/** A turn that asks questions, and is answered. */
export async function promptAndAnswer(
  harness: AgentHarness,
  message: string,
  answers: string[][] | null,
): Promise<HarnessTurn> {
  const turn = harness.prompt(message);
  const { data } = await harness.next("question.requested");
  await harness.answerQuestion(data.question_id, answers);
  return await turn;
}

/** How often a turn asked for permission. */
export function permissionsAsked({ events }: HarnessTurn): number {
  return eventsOf(events, "permission.requested").length;
}
