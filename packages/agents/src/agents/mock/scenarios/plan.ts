import { approvesPlan, planQuestion } from "../../../questions/plan-question.ts";
import type { Scenario } from "../scenario.ts";

const text = "1. Look for the greeting.\n2. Greet the whole world.\n3. Run the tests.";

/** Proposes a plan and waits. Approving it ends the permission mode `plan`, for the rest of the session. */
export const plan: Scenario = async (stage) => {
  const call = stage.startTool("ExitPlanMode", { plan: text });
  stage.show({ kind: "status", role: "system", content: [{ type: "status", label: "Plan", detail: text }] });
  const approved = approvesPlan(await stage.askQuestion([planQuestion(text)], call, text));
  if (approved) stage.session.leavePlanMode();
  stage.finishTool(call, { output: approved ? "Approved" : "Rejected", failed: !approved });
  await stage.say(
    approved ? "You approved the plan, so I am building." : "You did not approve it, so I keep planning.",
  );
  return undefined;
};
