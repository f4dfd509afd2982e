/** Feared: a person answers a question, and a command runs. */
import { expect, test } from "vitest";
import type { AcpToolCall } from "../../acp/dialect.ts";
import { nameRequestedTool } from "./describe-tool.ts";
import { readQuestions } from "./questions.ts";

const questions = [{ question: "Which colour do you like?", options: [{ label: "Blue" }] }];
const once = { optionId: "proceed_once", name: "Allow", kind: "allow_once" };
const submit = { ...once, name: "Submit" };

test("a command whose input also has questions is a command", () => {
  const shell: AcpToolCall = { kind: "execute", title: "rm x", rawInput: { command: "rm x", questions } };
  const named = nameRequestedTool(shell, [once]);
  expect(named.name).toBe("run_shell_command");
  expect(readQuestions(named)).toBeUndefined();
});

test("a tool of an MCP server is one, whatever its input looks like", () => {
  const call: AcpToolCall = { kind: "other", title: "{}", rawInput: { command: "ls", questions, plan: "x" } };
  const always = { optionId: "proceed_always_project", name: "Always Allow in project: shout", kind: "allow_always" };
  expect(nameRequestedTool(call, [always, once]).name).toBe("shout");
  expect(nameRequestedTool({ ...call, name: "mcp__contract__shout" }, [always, once]).name).toBe(
    "mcp__contract__shout",
  );
  expect(readQuestions(nameRequestedTool(call, [once]))).toBeUndefined();
});

test("what the program itself offers to submit is a question", () => {
  const asking: AcpToolCall = { kind: "think", title: "Ask user 1 question", rawInput: { questions } };
  expect(readQuestions(nameRequestedTool(asking, [submit]))).toMatchObject([{ prompt: "Which colour do you like?" }]);
});

test("whoever is asked about a subagent is told that it edits files unasked", () => {
  const asked = nameRequestedTool({ kind: "other", name: "agent", title: "a task", rawInput: { prompt: "x" } }, [once]);
  expect(asked.title).toBe("Start a subagent, which edits files unasked: a task");
});
