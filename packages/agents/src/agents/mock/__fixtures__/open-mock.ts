import { onTestFinished } from "vitest";
import type { SessionConfig } from "../../../agent.ts";
import { AgentHarness } from "../../../contract/agent-harness.ts";
import { adapter } from "../index.ts";

/** A session with the mock agent that is closed when the test is over. */
export async function openMock(session: Partial<SessionConfig> = {}): Promise<AgentHarness> {
  const harness = await AgentHarness.open(adapter, session);
  onTestFinished(() => harness.dispose());
  return harness;
}
