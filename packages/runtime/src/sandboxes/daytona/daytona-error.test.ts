import {
  DaytonaAuthenticationError,
  DaytonaAuthorizationError,
  DaytonaConflictError,
  DaytonaConnectionError,
  DaytonaConnectionTimeoutError,
  DaytonaError,
  DaytonaNotFoundError,
  DaytonaProcessExecutionTimeoutError,
  DaytonaRateLimitError,
  DaytonaServiceUnavailableError,
  DaytonaValidationError,
} from "@daytona/sdk";
import { expect, test } from "vitest";
import { SandboxProviderError } from "../sandbox-provider.ts";
import { daytonaError } from "./daytona-error.ts";

const cases = [
  [
    new DaytonaAuthenticationError("Invalid credentials", 401),
    "unauthorized",
    /set a valid one as apiKey or DAYTONA_API_KEY/,
  ],
  [new DaytonaAuthorizationError("Access denied", 403), "unauthorized", /right to write and delete sandboxes/],
  [new DaytonaAuthorizationError("Organization is suspended", 403), "failed", /Organization is suspended/],
  [new DaytonaValidationError("Total CPU limit exceeded.", 400), "failed", /Total CPU limit exceeded/],
  [
    new DaytonaValidationError("bad request: no IP address found. Is the Sandbox started?", 400),
    "stopped",
    /Is the Sandbox/,
  ],
  [new DaytonaNotFoundError("Sandbox with ID or name x not found", 404), "not_found", /x not found/],
  [new DaytonaConflictError("Sandbox state change in progress", 409), "unavailable", /in progress/],
  [new DaytonaConflictError("Sandbox with name x already exists", 409), "conflict", /already exists/],
  [new DaytonaServiceUnavailableError("Down", 503), "unavailable", /Down/],
  [new DaytonaProcessExecutionTimeoutError("command execution timeout", 408), "timeout", /timeout/],
  [new DaytonaConnectionTimeoutError("HTTP request timed out after 5ms"), "timeout", /timed out/],
  [new DaytonaConnectionError("connect ECONNREFUSED 127.0.0.1:1"), "unavailable", /ECONNREFUSED/],
  [new DaytonaError("Sandbox x failed to start with status: build_failed"), "failed", /build_failed/],
  [new TypeError("Cannot read properties of undefined"), "unavailable", /not Daytona's API.*apiUrl/],
] as const;

test.each(cases)("%s is told in the words of the seam", (error, code, message) => {
  const told = daytonaError(error);
  expect(told).toBeInstanceOf(SandboxProviderError);
  expect([told.code, told.cause]).toEqual([code, error]);
  expect(told.message).toMatch(message);
  expect(daytonaError(told)).toBe(told);
});

test("it is waited for as long as the longest of Daytona's limits says", () => {
  const headers = { "retry-after-sandbox-create": "7", "retry-after-authenticated": "2", "x-ratelimit-limit": "300" };
  expect(daytonaError(new DaytonaRateLimitError("Too many requests", 429, headers as never))).toMatchObject({
    code: "rate_limited",
    retryAfterMs: 7_000,
  });
});
