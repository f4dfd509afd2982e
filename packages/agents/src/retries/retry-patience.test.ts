import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RetryPatience } from "./retry-patience.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function patience(env: Record<string, string> = { SANDBOX_AGENT_RETRY_MS: "1000" }) {
  const giveUp = vi.fn();
  return { giveUp, patience: new RetryPatience(env, giveUp) };
}

test("a row of failures is given up once, counted from its first", () => {
  const { giveUp, patience: it } = patience();
  for (let at = 0; at < 5; at += 1) {
    it.watch(true);
    vi.advanceTimersByTime(300);
  }
  expect(giveUp).toHaveBeenCalledOnce();
});

test("success in between, or the end of the turn, starts it anew", () => {
  const { giveUp, patience: it } = patience();
  for (const calm of [() => it.watch(false), () => it.end()]) {
    it.watch(true);
    vi.advanceTimersByTime(900);
    calm();
    vi.advanceTimersByTime(5_000);
  }
  it.watch(true);
  vi.advanceTimersByTime(900);
  expect(giveUp).not.toHaveBeenCalled();
});

test.each([{}, { SANDBOX_AGENT_RETRY_MS: "soon" }])("half a minute where %j says nothing", (env) => {
  const { giveUp, patience: it } = patience(env);
  it.watch(true);
  vi.advanceTimersByTime(29_999);
  expect(giveUp).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(giveUp).toHaveBeenCalledOnce();
});
