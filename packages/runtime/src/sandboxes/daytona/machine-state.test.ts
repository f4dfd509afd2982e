import { SandboxState } from "@daytona/sdk";
import { expect, test } from "vitest";
import { lifeOf, minutesOf } from "./machine-state.ts";

const seen = { createdAt: "2026-01-01T00:00:00.000Z" };
const states = (life: string) =>
  Object.values(SandboxState)
    .filter((state) => lifeOf({ ...seen, state }).state === life)
    .sort();

test("every state of Daytona's has its word, and what is new there is not taken for gone", () => {
  expect(states("running")).toEqual(["forking", "resizing", "snapshotting", "started"]);
  expect(states("suspended")).toEqual(["archived", "archiving", "paused", "pausing", "stopped", "stopping"]);
  expect(states("gone")).toEqual(["build_failed", "destroyed", "destroying", "error"]);
  expect(lifeOf({ ...seen, state: "what comes next" as SandboxState }).state).toBe("starting");
});

test("one that failed says why, and is there still where Daytona can recover it", () => {
  const failed = { ...seen, state: SandboxState.ERROR, errorReason: "no space left on device" };
  expect(lifeOf(failed)).toEqual({ state: "gone", why: expect.stringContaining("no space left") });
  expect(lifeOf({ ...failed, recoverable: true }).state).toBe("suspended");
});

test("its end is put off by what comes from outside", () => {
  const started = { ...seen, state: SandboxState.STARTED, autoStopInterval: 15 };
  const at = Date.parse(seen.createdAt);
  expect(lifeOf(started).expiresAt).toBe(at + 15 * 60_000);
  const lastActivityAt = new Date(at + 5_000).toISOString();
  expect(lifeOf({ ...started, lastActivityAt }).expiresAt).toBe(at + 5_000 + 15 * 60_000);
  expect(lifeOf({ ...started, autoStopInterval: 0 })).toEqual({ state: "running" });
});

test("a life is counted in minutes, and not made shorter by it", () => {
  expect([1, 60_000, 60_001, 900_000].map(minutesOf)).toEqual([1, 1, 2, 15]);
});
