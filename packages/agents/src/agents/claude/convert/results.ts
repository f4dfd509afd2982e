import type { Cost, Usage } from "@sandbox-agent-ts/protocol";
import type { TurnOutcome } from "../../../agent.ts";
import { costOf } from "../../../costs/cost-of.ts";
import type { ModelUsage, ResultLine } from "../dialect.ts";
import type { TurnState } from "./claude-state.ts";
import type { Conversion } from "./conversion.ts";
import { failureOfResult } from "./failures.ts";

/** One `result` ends one round of the agent; a turn may have several, for what its background tasks brought. */
export function takeResult(to: Conversion, line: ResultLine): void {
  if (!to.turn) return;
  const models = Object.values(line.model_usage_since_last_result ?? {});
  const gaveUp = to.turn.failure !== null;
  to.turn = {
    ...to.turn,
    usage: addUsage(to.turn.usage, models),
    cost: addCost(to.turn.cost, models),
    failure: failureOfResult(line, to.turn.failure),
    interrupted: to.turn.interrupted || (!gaveUp && line.terminal_reason?.startsWith("aborted") === true),
  };
}

/** The session is idle: whatever the prompt caused is over. */
export function endTurn(to: Conversion, turn: TurnState): void {
  const { failure, interrupted } = turn;
  if (failure && !turn.interrupted) {
    const { code, message, status } = failure;
    to.emit("error", { message, code, ...(status === undefined ? {} : { details: { status } }) });
  }
  to.turn = null;
  to.outcome = outcomeOf(turn, interrupted);
}

function outcomeOf({ failure, usage, cost, model }: TurnState, interrupted: boolean): TurnOutcome {
  return {
    reason: interrupted ? "interrupted" : failure ? "error" : "completed",
    ...(failure && !interrupted ? { message: failure.message } : {}),
    ...(usage === null ? {} : { usage }),
    ...(cost === null ? {} : { cost }),
    ...(model === null ? {} : { model }),
  };
}

/** `input_tokens` are all of them, those from and for the cache included, as other agents count. */
function addUsage(before: Usage | null, models: readonly ModelUsage[]): Usage | null {
  if (models.length === 0) return before;
  const sum = (pick: (model: ModelUsage) => number | undefined) =>
    models.reduce((total, model) => total + (pick(model) ?? 0), 0);
  const cached = (before?.cached_input_tokens ?? 0) + sum((model) => model.cacheReadInputTokens);
  const written = (before?.cache_write_tokens ?? 0) + sum((model) => model.cacheCreationInputTokens);
  const reasoning = (before?.reasoning_tokens ?? 0) + sum((model) => model.thinkingTokens);
  const input = sum(
    (model) => (model.inputTokens ?? 0) + (model.cacheReadInputTokens ?? 0) + (model.cacheCreationInputTokens ?? 0),
  );
  return {
    input_tokens: (before?.input_tokens ?? 0) + input,
    output_tokens: (before?.output_tokens ?? 0) + sum((model) => model.outputTokens),
    ...(cached === 0 ? {} : { cached_input_tokens: cached }),
    ...(written === 0 ? {} : { cache_write_tokens: written }),
    ...(reasoning === 0 ? {} : { reasoning_tokens: reasoning }),
  };
}

function addCost(before: Cost | null, models: readonly ModelUsage[]): Cost | null {
  const sum = models.reduce((total, { costUSD = 0 }) => total + costUSD, before?.amount ?? 0);
  return models.length === 0 ? before : costOf(sum);
}
