import { expect, test } from "vitest";
import { type ErrorCode, errorCodes } from "./error-codes.ts";
import { AgentError, ProblemDetails } from "./problem.ts";
import { SandboxError } from "./sandbox-error.ts";

const codes = Object.keys(errorCodes) as ErrorCode[];

test.each(codes)("%s is a problem and an agent error as the schemas have them", (code) => {
  const error = new SandboxError(code, "Do this.", { agent: "mock", sessionId: "s", details: { exitCode: 1 } });
  const problem = ProblemDetails.parse(error.toProblem("/v1/sessions/s"));
  expect(problem).toEqual({
    type: `urn:sandbox-agent:error:${code}`,
    title: errorCodes[code].title,
    status: errorCodes[code].status,
    detail: "Do this.",
    instance: "/v1/sessions/s",
    agent: "mock",
    sessionId: "s",
    details: { exitCode: 1 },
  });
  expect(AgentError.parse(error.toAgentError())).toEqual({
    type: code,
    message: "Do this.",
    agent: "mock",
    session_id: "s",
    details: { exitCode: 1 },
  });
});

test("what is not known is left out, and the cause is kept", () => {
  const cause = new Error("ENOSPC");
  const error = new SandboxError("internal_error", "Make room.", { cause });
  expect(error.cause).toBe(cause);
  expect(Object.keys(error.toProblem())).toEqual(["type", "title", "status", "detail"]);
  expect(Object.keys(error.toAgentError())).toEqual(["type", "message"]);
});
