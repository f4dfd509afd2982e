import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SilencePatience } from "./silence-patience.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function patience(env: Record<string, string> = { SANDBOX_AGENT_SILENCE_MS: "1000" }) {
  const giveUp = vi.fn();
  return { giveUp, patience: new SilencePatience(env, giveUp) };
}

test("every word starts it anew, and it is given up once", () => {
  const { giveUp, patience: it } = patience();
  for (let at = 0; at < 5; at += 1) {
    it.heard(true);
    vi.advanceTimersByTime(900);
  }
  expect(giveUp).not.toHaveBeenCalled();
  vi.advanceTimersByTime(5_000);
  expect(giveUp).toHaveBeenCalledOnce();
});

test("whoever runs a tool or asks a person may take any time, and so may nobody", () => {
  const { giveUp, patience: it } = patience();
  for (const calm of [() => it.heard(false), () => it.end()]) {
    it.heard(true);
    calm();
    vi.advanceTimersByTime(5_000);
  }
  expect(giveUp).not.toHaveBeenCalled();
});

test.each(["99999999999", "Infinity"])("a limit of %s is hardly one", (limit) => {
  const { giveUp, patience: it } = patience({ SANDBOX_AGENT_SILENCE_MS: limit });
  it.heard(true);
  vi.advanceTimersByTime(24 * 60 * 60_000);
  expect(giveUp).not.toHaveBeenCalled();
});

test("a model may think for a quarter of an hour where nothing else is said", () => {
  const { giveUp, patience: it } = patience({});
  it.heard(true);
  vi.advanceTimersByTime(15 * 60_000 - 1);
  expect(giveUp).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(giveUp).toHaveBeenCalledOnce();
});
