import { CreateSessionRequest } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { checkForm, emptyForm, parseEnv, type SessionForm } from "./session-form.ts";

const check = (form: Partial<SessionForm>) => checkForm({ ...emptyForm, agent: "a", ...form });

test("what was left empty is left out", () => {
  expect(check({ title: "  " })).toEqual({ ok: true, request: { agent: "a", permissionMode: "default" } });
});

test("a full form is a request the API takes", () => {
  const checked = check({
    title: "T",
    agentMode: "plan",
    permissionMode: "acceptEdits",
    model: "m",
    variant: "high",
    agentVersion: "1.2.3",
    directory: "/srv",
    systemPrompt: "Be brief.",
    env: "A=1\n# note\nexport B=x=y\n",
    mcp: '{"files":{"type":"local","command":"mcp-files"}}',
    skills: "./skills\nacme/skills\nhttps://git.example/a.git",
  });
  if (!checked.ok) throw new Error(JSON.stringify(checked.errors));
  expect(CreateSessionRequest.parse(checked.request)).toEqual(checked.request);
  expect(checked.request.env).toEqual({ A: "1", B: "x=y" });
  expect(checked.request.skills?.sources.map(({ type }) => type)).toEqual(["local", "github", "git"]);
});

test("each mistake is told where it was made", () => {
  const checked = check({ agent: "", env: "oops", mcp: "[1]", skills: "{broken" });
  expect(checked).toMatchObject({
    ok: false,
    errors: { agent: expect.any(String), env: expect.stringContaining("oops") },
  });
  expect(Object.keys(checked.ok ? {} : checked.errors).toSorted()).toEqual(["agent", "env", "mcp", "skills"]);
});

test("an empty value is a value", () => {
  expect(parseEnv("A=")).toEqual({ A: "" });
});
