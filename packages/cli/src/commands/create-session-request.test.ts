import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateSessionRequest } from "@sandbox-agent-ts/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CommandInput } from "./command-input.ts";
import { createSessionRequest } from "./create-session-request.ts";

let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "create-"));
  writeFileSync(join(dir, "mcp.json"), '{"files":{"type":"local","command":"serve"}}');
  writeFileSync(join(dir, "events.json"), '{"events":[]}');
  writeFileSync(join(dir, "sandbox.json"), '{"network":"off"}');
  writeFileSync(join(dir, "broken.json"), "{");
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const request = (options: Record<string, string | string[]>) =>
  createSessionRequest(new CommandInput(new Map(), options));

describe("what `sessions create` sends", () => {
  it("is only the agent when only the agent is given", async () => {
    expect(await request({ agent: "mock" })).toEqual({ agent: "mock" });
  });

  it("is everything the API knows", async () => {
    const body = await request({
      agent: "mock",
      "agent-mode": "plan",
      "permission-mode": "acceptEdits",
      model: "m",
      variant: "v",
      "agent-version": "1",
      directory: "/d",
      title: "t",
      env: ["A=1", "B=x=y", "C="],
      mcp: join(dir, "mcp.json"),
      skills: join(dir, "mcp.json"),
      "system-prompt": "s",
      deny: ["execute:rm *", "delete"],
      allow: ["read:src/**"],
      "request-timeout": "60",
      metadata: join(dir, "mcp.json"),
      profile: "reviewer",
      sandbox: join(dir, "sandbox.json"),
      restore: join(dir, "events.json"),
    });
    expect(body.policy?.rules).toEqual([
      { action: "deny", kind: "execute", commands: "rm *" },
      { action: "deny", kind: "delete" },
      { action: "allow", kind: "read", paths: "src/**" },
    ]);
    expect(body.requestTimeout).toEqual({ afterMs: 60_000 });
    expect(body.env).toEqual({ A: "1", B: "x=y", C: "" });
    expect(body.mcp).toEqual({ files: { type: "local", command: "serve" } });
    expect(body).toMatchObject({ profile: "reviewer", sandbox: { network: "off" }, restore: { events: [] } });
    const { name: _anotherWordForTitle, ...known } = CreateSessionRequest.shape;
    expect(Object.keys(body).toSorted()).toEqual(Object.keys(known).toSorted());
  });

  it.each([
    [{ env: ["NOVALUE"] }, "--env"],
    [{ env: ["=x"] }, "--env"],
    [{ deny: ["write"] }, "--deny takes one of read"],
    [{ allow: ["read:"] }, "needs a pattern"],
    [{ policy: "mcp.json", deny: ["read"] }, "not both"],
    [{ mcp: "broken.json" }, "is not JSON"],
    [{ skills: "missing.json" }, "Cannot read"],
  ])("refuses %j with a sentence", async (options, words) => {
    const files = Object.entries(options).map(([name, value]) => [
      name,
      Array.isArray(value) ? value : join(dir, value),
    ]);
    await expect(request({ agent: "mock", ...Object.fromEntries(files) })).rejects.toThrow(words);
  });
});
