import { AlreadyExistsError, ConflictError, NotFoundError, ResourceExhaustedError, SandboxTimeoutError } from "modal";
import { expect, test } from "vitest";
import { modalError, noteRetryAfter } from "./modal-error.ts";

/** As those of gRPC are, which the SDK hands out as they come. */
const refusal = (code: number, details = "it says so") =>
  Object.assign(new Error(`/modal.client.ModalClient/SandboxWaitV2 CODE: ${details}`), {
    name: "ClientError",
    code,
    details,
  });

const cases = [
  [refusal(16), "unauthorized", /tokenId.*MODAL_TOKEN_SECRET.*it says so/],
  [refusal(7), "unauthorized", /it says so/],
  [refusal(5), "not_found", /^Modal: it says so/],
  [refusal(6), "conflict", /it says so/],
  [refusal(8), "rate_limited", /fewer requests/],
  [refusal(4), "timeout", /it says so/],
  [refusal(13), "unavailable", /it says so/],
  [refusal(14), "unavailable", /it says so/],
  [refusal(3), "failed", /it says so/],
  [refusal(12), "failed", /it says so/],
  [new NotFoundError("no such app"), "not_found", /no such app/],
  [new AlreadyExistsError("named so"), "conflict", /named so/],
  [new ConflictError("finished"), "conflict", /finished/],
  [new ResourceExhaustedError("no capacity"), "unavailable", /no capacity/],
  [new SandboxTimeoutError(), "timeout", /timed out/],
  [new Error("Image build for im-1 failed"), "failed", /Image build/],
] as const;

test.each(cases)("%s is told in the words of the seam", (error, code, message) => {
  const told = modalError(error);
  expect([told.name, told.code, told.cause]).toEqual(["SandboxProviderError", code, error]);
  expect(told.message).toMatch(message);
  expect(modalError(told)).toBe(told);
});

test("details that say nothing of a wait are none", () => {
  for (const details of [undefined, Buffer.from(""), Buffer.from("/modal.client.RPCRetryPolicy"), Buffer.alloc(100)]) {
    const error = refusal(8);
    noteRetryAfter(error, details);
    expect(modalError(error).retryAfterMs).toBe(undefined);
  }
});
