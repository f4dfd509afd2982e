import type { PromptInput, TurnOutcome } from "../../agent.ts";
import type { Stage } from "./stage.ts";

/** How a turn ends that does not simply complete. */
export type ScenarioEnd = Pick<TurnOutcome, "reason" | "message" | "sessionEnded">;

/** What the mock does for one word. Returning nothing completes the turn. */
export type Scenario = (stage: Stage, input: PromptInput) => Promise<ScenarioEnd | undefined>;
