import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { untilSignal } from "./until-signal.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function start() {
  const source = new EventEmitter();
  const exit = vi.fn();
  const signalled = untilSignal(source, exit);
  return { source, exit, signalled };
}

describe("waiting for a signal", () => {
  it.each(["SIGINT", "SIGTERM", "SIGHUP"])("ends at the first %s and does not exit by itself", async (signal) => {
    const { source, exit, signalled } = start();
    source.emit(signal, signal);
    await signalled;
    expect(exit).not.toHaveBeenCalled();
  });

  it("takes the same Ctrl-C from the terminal and from npm for one", () => {
    const { source, exit } = start();
    source.emit("SIGINT", "SIGINT");
    vi.advanceTimersByTime(100);
    source.emit("SIGINT", "SIGINT");
    expect(exit).not.toHaveBeenCalled();
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ])("exits at once when somebody insists with %s", (signal, code) => {
    const { source, exit } = start();
    source.emit("SIGTERM", "SIGTERM");
    vi.advanceTimersByTime(1_000);
    source.emit(signal, signal);
    expect(exit).toHaveBeenCalledExactlyOnceWith(code);
  });
});
