import type { Question } from "@sandbox-agent/protocol";
import type { Scenario } from "../scenario.ts";
import type { QuestionAnswers } from "../stage.ts";

const text = "1. Look for the greeting.\n2. Greet the whole world.\n3. Run the tests.";

const question: Question = {
  header: "Plan",
  prompt: `Carry out this plan?\n\n${text}`,
  options: [
    { label: "Approve", description: "Carry out the plan" },
    { label: "Reject", description: "Keep planning" },
  ],
  multi_select: false,
};

/** Proposes a plan and waits. Approving it ends the permission mode `plan`, for the rest of the session. */
export const plan: Scenario = async (stage) => {
  const call = stage.startTool("ExitPlanMode", { plan: text });
  stage.show({ kind: "status", role: "system", content: [{ type: "status", label: "Plan", detail: text }] });
  const approved = isApproved(await stage.askQuestion([question]));
  if (approved) stage.session.memory.leavePlanMode();
  stage.finishTool(call, { output: approved ? "Approved" : "Rejected", failed: !approved });
  await stage.say(
    approved ? "You approved the plan, so I am building." : "You did not approve it, so I keep planning.",
  );
  return undefined;
};

/** Anything but approval keeps it planning, also an answer in the person's own words. */
function isApproved(answers: QuestionAnswers): boolean {
  return answers?.[0]?.[0] === "Approve";
}
