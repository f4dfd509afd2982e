import { expect, test } from "vitest";
import { sandboxWords } from "./sandbox-words.ts";

const sandbox = { sandboxId: "x", restartCount: 0, lastHealthCheck: 0, generation: 1, provider: "local" };

test.each([
  [{ status: "starting", statusMessage: "Starting the daemon …" } as const, "Starting the daemon …"],
  [{ status: "ready" } as const, "Sandbox ready"],
  [{ status: "ready", statusMessage: "Suspended." } as const, "Sandbox suspended"],
  [{ status: "unhealthy" } as const, "Sandbox does not answer"],
  [{ status: "terminated", statusMessage: "It was removed." } as const, "Sandbox ended: it was removed"],
])("%j is told as %j", (state, words) => {
  expect(sandboxWords({ isLoaded: true, sandbox: { ...sandbox, ...state } })).toBe(words);
});

test("a session that needed none yet says so, and one of a daemon says nothing", () => {
  expect(sandboxWords({ isLoaded: false, sandbox: null })).toBe("No sandbox");
  expect(sandboxWords(undefined)).toBeUndefined();
});
