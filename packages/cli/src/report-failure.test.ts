import { SandboxError } from "@sandbox-agent-ts/protocol";
import { SandboxAgentError } from "@sandbox-agent-ts/sdk";
import { describe, expect, it } from "vitest";
import { DaemonFailure } from "./daemon-failure.ts";
import { reportFailure } from "./report-failure.ts";
import { UsageError } from "./usage-error.ts";

function report(error: unknown, isForPeople = false) {
  let text = "";
  const write = (chunk: string): void => {
    text += chunk;
  };
  return { code: reportFailure(error, { write, isForPeople }), text };
}

const problem = { type: "urn:sandbox-agent:error:session_not_found", title: "T", status: 404 } as const;

describe("a failure, for programs", () => {
  it("of the daemon is printed as the problem it answered with", () => {
    const { code, text } = report(new DaemonFailure("http://h", new SandboxAgentError(404, problem)));
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

describe("a failure, for people", () => {
  it("is one sentence, without a type, a status or braces", () => {
    expect(report(new SandboxError("internal_error", "The port is taken."), true)).toEqual({
      code: 1,
      text: "Error: The port is taken.\n",
    });
    expect(report(new UsageError("No."), true)).toEqual({ code: 2, text: "Error: No.\n" });
    expect(report(new Error("Odd."), true).text).toBe("Error: Odd.\n");
  });

  it("of a daemon names the daemon", () => {
    const { text } = report(new DaemonFailure("http://h:1", new SandboxAgentError(404, problem)), true);
    expect(text).toBe("Error: T\nThe daemon is http://h:1.\n");
  });

  it.each([
    ['"x" is full. Pass recursive=true to delete it all.', '"x" is full. Pass --recursive to delete it all.'],
    [
      "Needs one. Send it as `Authorization: Bearer <token>`.",
      "Needs one. Pass it with --token, or as SANDBOX_AGENT_TOKEN.",
    ],
  ])("speaks of flags, not of HTTP: %s", (detail, sentence) => {
    expect(report(new SandboxError("token_invalid", detail), true).text).toBe(`Error: ${sentence}\n`);
    expect(JSON.parse(report(new SandboxError("token_invalid", detail)).text).detail).toBe(detail);
  });

  it("is broken between words where the terminal is narrow", () => {
    let text = "";
    const write = (chunk: string): void => {
      text += chunk;
    };
    reportFailure(new Error("Nobody answers the door of this house."), { write, isForPeople: true, columns: 24 });
    expect(text).toBe("Error: Nobody answers\nthe door of this house.\n");
  });

  it("never steers the terminal", () => {
    expect(report(new Error("a\u001b[2Jb"), true).text).toBe("Error: a[2Jb\n");
  });
});
