import { test } from "vitest";
import type { Provocation, ProvokingMessage } from "./agent-scenario.ts";

/** A test that needs the agent to be provoked, or a skipped one whose title says why it cannot be. */
export function provokedTest(
  title: string,
  provocation: Provocation,
  run: (by: ProvokingMessage) => Promise<void>,
): void {
  if ("skip" in provocation) test.skip(`${title} (skipped: ${provocation.skip})`, () => {});
  else test(title, () => run(provocation));
}
