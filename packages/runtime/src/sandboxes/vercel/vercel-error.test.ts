import { APIError, StreamError } from "@vercel/sandbox";
import { expect, test } from "vitest";
import { ForgottenError, StoppingError, vercelError } from "./vercel-error.ts";

const refusal = (status: number, code?: string, headers: Record<string, string> = {}) =>
  new APIError(
    new Response("", { status, headers }),
    code ? { json: { error: { code, message: `it says ${code}` } } } : {},
  );

const cases = [
  [refusal(401, "unauthorized"), "unauthorized", /VERCEL_TOKEN/],
  [refusal(403, "forbidden"), "unauthorized", /VERCEL_TOKEN.*vercel env pull/],
  [refusal(404, "not_found"), "not_found", /it says not_found/],
  [refusal(404), "unavailable", /not Vercel's API/],
  [refusal(200), "unavailable", /not Vercel's API/],
  [refusal(409, "conflict"), "conflict", /it says conflict/],
  [refusal(400, "bad_request"), "failed", /it says bad_request/],
  [refusal(402, "payment_required"), "failed", /it says payment_required/],
  [refusal(410, "sandbox_stopped"), "stopped", /stopped/],
  [refusal(422, "sandbox_stopping"), "stopped", /Try again/],
  [refusal(503), "unavailable", /does not work at the moment/],
  [new StreamError("stream_ended_early", "Stream ended", "sbx_1"), "unavailable", /broke off: Stream ended/],
  [new DOMException("It took too long", "TimeoutError"), "timeout", /took too long/],
  [new TypeError("fetch failed"), "unavailable", /fetch failed/],
] as const;

test.each(cases)("%s is told in the words of the seam", (error, code, message) => {
  const told = vercelError(error);
  expect([told.name, told.code, told.cause]).toEqual(["SandboxProviderError", code, error]);
  expect(told.message).toMatch(message);
  expect(vercelError(told)).toBe(told);
});

test("it is waited for as long as Vercel says", () => {
  const told = vercelError(refusal(429, "rate_limited", { "retry-after": "7" }));
  expect(told).toMatchObject({ code: "rate_limited", retryAfterMs: 7_000 });
});

test("what goes on is told apart from what is over", () => {
  expect(vercelError(refusal(422, "sandbox_snapshotting"))).toBeInstanceOf(StoppingError);
  expect(vercelError(refusal(410, "snapshot_not_found"))).toBeInstanceOf(ForgottenError);
});
