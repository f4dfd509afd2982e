import type { FoundCredential } from "@sandbox-agent-ts/agents";
import { expect, test } from "vitest";
import { redact, shownCredential, validity, variableLines } from "./present-credentials.ts";

const credential: FoundCredential = {
  agent: "a",
  provider: "p",
  kind: "api-key",
  source: "s",
  variable: "V",
  expired: false,
  secret: "sk-ant-0123456789abcdef",
};

test("a secret is shown so that nothing usable is left, unless it is asked for", () => {
  expect(redact("short")).toBe("…");
  expect(shownCredential(credential, false)).toEqual({ ...shown(), value: "sk-ant…ef" });
  expect(shownCredential(credential, true)).toEqual({ ...shown(), value: "sk-ant-0123456789abcdef" });
});

const shown = () => {
  const { secret: _, ...rest } = credential;
  return rest;
};

test("lines are quoted for the shell, and the first found wins", () => {
  const lines = variableLines([{ ...credential, secret: "it's $HOME" }, credential], "export ");
  expect(lines).toEqual([`export V='it'\\''s $HOME'`]);
  expect(variableLines([{ ...credential, secret: "plain" }], "")).toEqual(["V=plain"]);
});

test.each(["1X_API_KEY", "", "A-B", "A B", "A;rm -rf ~", "É"])(
  "a variable that no shell takes has no line: %j",
  (variable) => {
    expect(variableLines([{ ...credential, variable }], "export ")).toEqual([]);
  },
);

test("what has expired is told, and has no line even where its own program renews it", () => {
  const expiresAt = "2020-01-01T00:00:00.000Z";
  const expired = { ...credential, expired: true, expiresAt };
  expect(variableLines([expired, { ...expired, refreshable: true }], "export ")).toEqual([]);
  expect(validity(expired)).toBe("expired");
  expect(validity({ ...expired, refreshable: true })).toBe("expired, renewed by the agent itself");
  expect(validity({ ...credential, expiresAt: "2999-01-01T10:20:30.000Z" })).toBe("until 2999-01-01 10:20");
  expect(validity(credential)).toBe("");
});
