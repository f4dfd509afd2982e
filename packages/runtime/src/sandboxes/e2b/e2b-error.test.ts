/** Feared: a class of the SDK that is taken for another failure, so that a sandbox is given up that is there. */
import {
  AuthenticationError,
  RateLimitError,
  SandboxError,
  SandboxNotFoundError,
  ServiceBusyError,
  TimeoutError,
} from "e2b";
import { expect, test } from "vitest";
import { e2bError } from "./e2b-error.ts";

const withStatus = (status: number) => Object.assign(new SandboxError(`${status}: no`), { statusCode: status });
const unconnected = new TypeError("fetch failed", {
  cause: Object.assign(new Error("connect"), { code: "ECONNREFUSED" }),
});

test.each([
  [new AuthenticationError("no"), "unauthorized", /set a valid one as apiKey or E2B_API_KEY/],
  [new RateLimitError("slowly"), "rate_limited", /E2B wants fewer requests: slowly/],
  [new ServiceBusyError("busy"), "unavailable", /busy/],
  [new SandboxNotFoundError("gone"), "not_found", /gone/],
  [withStatus(404), "failed", /404/],
  [withStatus(400), "failed", /400/],
  [withStatus(403), "unauthorized", /403/],
  [withStatus(500), "unavailable", /500/],
  [withStatus(504), "timeout", /504/],
  [new TimeoutError("[deadline_exceeded] the operation timed out"), "timeout", /timed out/],
  [new TimeoutError("The sandbox was not found"), "unavailable", /not found/],
  [new SyntaxError("Unexpected token <"), "unavailable", /is not E2B's API/],
  [unconnected, "unavailable", /fetch failed/],
])("%s", (error, code, message) => {
  expect(e2bError(error)).toMatchObject({ code, message: expect.stringMatching(message), cause: error });
});

test("what is in the words of the seam already stays", () => {
  const error = e2bError(new RateLimitError("slowly"));
  expect(e2bError(error)).toBe(error);
});
