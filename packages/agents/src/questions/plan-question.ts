import type { EventDraft, PermissionMode, Question, SessionChanges } from "@sandbox-agent-ts/protocol";
import type { SessionConfig } from "../agent.ts";

const approve = { label: "Approve", description: "Carry out the plan" };
const reject = { label: "Reject", description: "Keep planning" };

/** May the plan be carried out? `otherwise` is asked where the agent does not say what the plan is. */
export function planQuestion(plan: string | undefined, otherwise = "Leave plan mode?"): Question {
  const prompt = plan ? `Carry out this plan?\n\n${plan}` : otherwise;
  return { header: "Plan", prompt, options: [approve, reject], multi_select: false };
}

/** Anything but approval keeps an agent planning, also no answer and one in the person's own words. */
export function approvesPlan(answers: readonly (readonly string[])[] | null): boolean {
  return isLabel(answers?.[0]?.[0], approve.label);
}

/** What the person said instead of approving, in words of their own. */
export function planFeedback(answers: readonly (readonly string[])[] | null): string | undefined {
  const said = answers?.flat().join(", ").trim() ?? "";
  return said === "" || isLabel(said, reject.label) ? undefined : said;
}

/** What holds from the moment on in which the plan is approved. */
export function afterPlan({
  agentMode,
  permissionMode,
}: Pick<SessionConfig, "agentMode" | "permissionMode">): SessionChanges & { permission_mode: PermissionMode } {
  return {
    permission_mode: permissionMode === "plan" ? "default" : permissionMode,
    ...(agentMode === "plan" ? { agent_mode: "build" } : {}),
  };
}

/** Tells the daemon, whose settings hold when the session is opened again. */
export function planModeLeft(session: Pick<SessionConfig, "agentMode" | "permissionMode">): EventDraft {
  return { type: "session.updated", data: { changes: afterPlan(session) }, source: "daemon", synthetic: true };
}

/** People type it, too. */
function isLabel(text: string | undefined, label: string): boolean {
  return text?.trim().toLowerCase() === label.toLowerCase();
}
