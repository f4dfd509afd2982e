import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pauseWhenHidden } from "./pause-when-hidden.ts";

const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
function turn(visibilityState: "visible" | "hidden"): void {
  page.visibilityState = visibilityState;
  page.dispatchEvent(new Event("visibilitychange"));
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", page);
  turn("visible");
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function watch(isIdle: () => boolean) {
  const calls: string[] = [];
  const stop = pauseWhenHidden({ isIdle, pause: () => calls.push("pause"), resume: () => calls.push("resume") });
  return { calls, stop };
}

test("a page that is hidden for a while lets go, once, and takes it up again when it is seen", () => {
  const { calls } = watch(() => true);
  vi.advanceTimersByTime(100_000);
  turn("hidden");
  vi.advanceTimersByTime(20_000);
  turn("visible");
  expect(calls).toEqual([]);
  turn("hidden");
  vi.advanceTimersByTime(100_000);
  expect(calls).toEqual(["pause"]);
  turn("visible");
  expect(calls).toEqual(["pause", "resume"]);
});

test("what goes on is kept until it is over", () => {
  let isIdle = false;
  const { calls } = watch(() => isIdle);
  turn("hidden");
  vi.advanceTimersByTime(100_000);
  expect(calls).toEqual([]);
  isIdle = true;
  vi.advanceTimersByTime(30_000);
  expect(calls).toEqual(["pause"]);
});

test("a page that was hidden from the start is no exception, and what is stopped stays so", () => {
  turn("hidden");
  const first = watch(() => true);
  vi.advanceTimersByTime(30_000);
  expect(first.calls).toEqual(["pause"]);
  first.stop();
  const second = watch(() => true);
  second.stop();
  vi.advanceTimersByTime(100_000);
  turn("visible");
  expect([first.calls, second.calls]).toEqual([["pause"], []]);
});
