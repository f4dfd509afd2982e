import { SandboxError } from "@sandbox-agent-ts/protocol";
import { SandboxAgentError } from "@sandbox-agent-ts/sdk";
import { describe, expect, it } from "vitest";
import { reportFailure } from "./report-failure.ts";
import { UsageError } from "./usage-error.ts";

function report(error: unknown) {
  let text = "";
  const code = reportFailure(error, (chunk) => {
    text += chunk;
  });
  return { code, text };
}

const problem = { type: "urn:sandbox-agent:error:session_not_found", title: "T", status: 404 } as const;

describe("a failure", () => {
  it("of the daemon is printed as the problem it answered with", () => {
    const { code, text } = report(new SandboxAgentError(404, problem));
    expect([code, JSON.parse(text)]).toEqual([1, problem]);
  });

  it("of ours is printed as a problem too", () => {
    const { code, text } = report(new SandboxError("timeout", "Try again."));
    expect(code).toBe(1);
    expect(JSON.parse(text)).toMatchObject({ type: "urn:sandbox-agent:error:timeout", detail: "Try again." });
  });

  it("without an answer or a kind is still a problem with its sentence", () => {
    expect(JSON.parse(report(SandboxAgentError.withoutResponse("Gone.")).text)).toMatchObject({ detail: "Gone." });
    expect(JSON.parse(report(new Error("Odd.")).text)).toMatchObject({ status: 500, detail: "Odd." });
  });

  it("of the command line is plain words and exit code 2", () => {
    expect(report(new UsageError("No."))).toEqual({ code: 2, text: "No.\n" });
  });
});
