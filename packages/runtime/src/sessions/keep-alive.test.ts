import { createLogger } from "@sandbox-agent-ts/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AgentSandbox } from "../sandboxes/agent-sandbox.ts";
import { KeepAlive } from "./keep-alive.ts";

const lifeMs = 12_000;
const keepAlive = () => new KeepAlive({ sessionId: "s", lifeMs, log: createLogger("silent") });

/** A sandbox that takes down how it was extended. */
function sandboxThat(answers: () => Promise<void> = async () => {}) {
  const asked: number[] = [];
  const extendAfter = async () => {
    asked.push(Date.now());
    await answers();
  };
  return { asked, sandbox: { id: "sbx", extendAfter } as unknown as AgentSandbox };
}

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

test("a sandbox is looked after while a turn runs, and not afterwards", async () => {
  const [kept, { asked, sandbox }] = [keepAlive(), sandboxThat()];
  kept.begin(sandbox);
  expect(asked).toEqual([0]);
  await vi.advanceTimersByTimeAsync(lifeMs);
  expect(asked).toHaveLength(1 + 12);
  await kept.end();
  await vi.advanceTimersByTimeAsync(lifeMs);
  expect(asked).toHaveLength(1 + 12);
});

test("a service that does not answer is asked again, and holds up nothing", async () => {
  let isAway = true;
  const { asked, sandbox } = sandboxThat(async () => {
    if (isAway) throw new Error("away");
  });
  const kept = keepAlive();
  kept.begin(sandbox);
  await vi.advanceTimersByTimeAsync(3_000);
  isAway = false;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(asked).toHaveLength(7);
  await kept.end();
});

test("of two sandboxes the one in which the turn runs is kept", async () => {
  const [kept, first, second] = [keepAlive(), sandboxThat(), sandboxThat()];
  kept.begin(first.sandbox);
  kept.begin(first.sandbox);
  kept.begin(second.sandbox);
  await vi.advanceTimersByTimeAsync(3_000);
  expect([first.asked.length, second.asked.length]).toEqual([1, 4]);
  await kept.end();
});
