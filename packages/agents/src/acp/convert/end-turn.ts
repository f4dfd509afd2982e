import type { ErrorData } from "@sandbox-agent-ts/protocol";
import type { TurnOutcome } from "../../agent.ts";
import type { AcpPromptResult } from "../dialect.ts";
import type { AcpSetting, AcpState } from "./acp-state.ts";
import { Conversion, type Converted } from "./conversion.ts";
import { errorData } from "./error-sentence.ts";
import { toldTokens, turnCost, turnUsage } from "./turn-usage.ts";

/** How a prompt ended: with an answer, or refused. */
export type PromptEnd =
  | { readonly result: AcpPromptResult }
  | { readonly error: { readonly code: number; readonly message: string; readonly data: unknown } };

export interface EndedTurn extends Pick<Converted, "state" | "drafts" | "answers"> {
  readonly outcome: TurnOutcome;
}

const stopSentences: Readonly<Record<string, string>> = {
  refusal: "refused to answer this. Change the message.",
  max_tokens: "stopped because its answer became too long. Ask it to go on.",
  max_turn_requests: "stopped because it asked its model as often as it may in a turn. Ask it to go on.",
  cancelled: "cancelled the turn by itself and gave no reason. Send the message again.",
};

/** The end of a turn. Who was interrupted was interrupted, whatever the agent says of it. Pure. */
export function endTurn(state: AcpState, end: PromptEnd, interrupted: boolean): EndedTurn {
  const conversion = new Conversion(state);
  const result = "result" in end ? end.result : {};
  const cancelled = interrupted || result.stopReason === "cancelled";
  const stopped = interrupted || state.turn.givenUp !== undefined;
  conversion.endTurn({ failed: cancelled || "error" in end, stopped });
  const why: Reason = interrupted ? { reason: "interrupted" } : reasonOf(state, end, conversion.lastText);
  if (why.failure) conversion.push({ type: "error", data: why.failure });
  const { state: converted, drafts, answers } = conversion.result();
  const { countsTokens } = state.setting.quirks;
  const tokens = toldTokens(result, converted);
  const usage = turnUsage(tokens, converted.turn.tokensBefore);
  const tokensBefore = countsTokens === "sinceOpened" ? (tokens ?? converted.turn.tokensBefore) : undefined;
  const ended = { ...converted, turn: { ...converted.turn, tokensBefore } };
  const cost = turnCost(ended.turn);
  const { failure: _, ...outcome } = why;
  return {
    state: ended,
    drafts,
    answers,
    outcome: { ...outcome, ...(usage ? { usage } : {}), ...(cost ? { cost } : {}) },
  };
}

interface Reason extends Pick<TurnOutcome, "reason" | "message"> {
  readonly failure?: ErrorData;
}

/** How a turn ended that no person stopped. */
function reasonOf({ setting, turn }: AcpState, end: PromptEnd, lastText: string): Reason {
  const stoppedByRefusal = "result" in end && end.result.stopReason === "cancelled" && turn.refused;
  if (stoppedByRefusal && !turn.givenUp) {
    return { reason: "interrupted", message: `${setting.agentName} stopped because it was refused something.` };
  }
  const failure = turn.givenUp ?? failureOf(end, lastText, setting);
  return failure ? { reason: "error", message: failure.message, failure } : { reason: "completed" };
}

function failureOf(
  end: PromptEnd,
  lastText: string,
  { agentName, program, quirks }: AcpSetting,
): ErrorData | undefined {
  if ("error" in end) return quirks.explainError?.(end.error) ?? errorData(agentName, end.error, program);
  const { stopReason = "" } = end.result;
  const sentence = stopSentences[stopReason];
  return sentence ? { message: `${agentName} ${sentence}`, code: stopReason } : quirks.readFailure?.(lastText);
}
