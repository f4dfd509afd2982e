/** Feared: an agent of the configuration that is listed and cannot be used, or one that keeps the daemon from starting. */
import { homedir } from "node:os";
import { join } from "node:path";
import { type AgentProgram, cacheDirectory } from "@sandbox-agent-ts/agents";
import { ensureProgram } from "@sandbox-agent-ts/agents/install";
import type { AgentInfo } from "@sandbox-agent-ts/protocol";
import { startModel } from "@sandbox-agent-ts/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { codeOf, ofType, session } from "../__fixtures__/client.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

/** Any program that speaks the protocol would do: to the daemon it is only a command here. */
const program: AgentProgram = {
  name: "goose",
  version: "1.52.0",
  source: { kind: "npm", packages: { "linux-x64": { name: "@aaif/goose-binary-linux-x64", binary: "bin/goose" } } },
};

const env = { npm_config_userconfig: join(homedir(), ".npmrc"), ...process.env };
const installRoot = join(cacheDirectory(process.env), "programs");
const found = await ensureProgram(program, { env, installRoot }, { version: program.version }).catch(String);
const command = typeof found === "string" ? undefined : found.path;
const reason = command === undefined ? ` (skipped: ${String(found)})` : "";

const timeout = 60_000;

async function startWithAgent() {
  const model = await startModel({
    script: {
      conversations: [
        {
          name: "greeting",
          when: { prompt: "make a file" },
          steps: [
            { toolCalls: [{ name: "shell", input: { command: "echo made > made.txt" } }] },
            { text: "It is made." },
          ],
        },
      ],
    },
  });
  onTestFinished(() => model.close());
  const config = {
    id: "my-agent",
    name: "My Agent",
    command: command!,
    args: ["acp"],
    env: {
      GOOSE_PROVIDER: "openai",
      GOOSE_MODEL: "gpt-4o",
      GOOSE_DISABLE_KEYRING: "1",
      OPENAI_HOST: model.url,
      OPENAI_API_KEY: "scripted",
    },
    quirks: { permissionModes: { default: "approve", bypass: "auto" }, ignoresEof: true },
  };
  const home = temporaryDirectory();
  return startTestDaemon({ acpAgents: [config], env: { PATH: process.env.PATH, HOME: home } });
}

describe.skipIf(command === undefined)(`an agent of the configuration${reason}`, () => {
  test("is listed, asks for permission and works like any other", { timeout }, async () => {
    const { client } = await startWithAgent();
    const { agents } = (await client.call("GET", "/v1/agents")).json<{ agents: AgentInfo[] }>();
    expect(agents.find(({ id }) => id === "my-agent")).toMatchObject({
      name: "My Agent",
      installed: true,
      path: command,
    });
    const directory = temporaryDirectory();
    await client.create("s", { agent: "my-agent", directory });
    const turn = await client.startTurn("s", "make a file");
    const asked = await turn.until(({ type }) => type === "permission.requested");
    const { permission_id } = ofType(asked, "permission.requested").at(-1)!.data;
    const reply = await client.call("POST", `${session("s")}/permissions/${permission_id}/reply`, { reply: "once" });
    expect(reply.status).toBe(204);
    expect(await turn.closed).toBe("ended");
    expect(JSON.stringify(turn.events)).toContain("It is made.");
    expect(ofType(turn.events, "turn.ended").at(-1)?.data.metadata).toMatchObject({ reason: "completed" });
    const file = await client.call("GET", `/v1/fs/file?path=made.txt&sessionId=s`);
    expect(file.text).toBe("made\n");
  });

  test("has the permission modes that it was given, and no others", { timeout }, async () => {
    const { client } = await startWithAgent();
    const answer = await client.call("POST", session("s"), { agent: "my-agent", permissionMode: "acceptEdits" });
    expect([answer.status, codeOf(answer)]).toEqual([400, "mode_not_supported"]);
    await client.create("s", { agent: "my-agent", permissionMode: "bypass", directory: temporaryDirectory() });
    const events = await client.turn("s", "make a file");
    expect(ofType(events, "permission.requested")).toEqual([]);
    expect(JSON.stringify(events)).toContain("It is made.");
  });
});

describe("an agent of the configuration whose command", () => {
  test("is not there is listed as not installed, and a session with it is refused with a sentence", async () => {
    const { client } = await startTestDaemon({ acpAgents: [{ id: "my-agent", command: "no-such-command" }] });
    const { agents } = (await client.call("GET", "/v1/agents")).json<{ agents: AgentInfo[] }>();
    expect(agents.find(({ id }) => id === "my-agent")).toMatchObject({ name: "my-agent", installed: false });
    const answer = await client.call("POST", session("s"), { agent: "my-agent" });
    expect([answer.status, codeOf(answer)]).toEqual([404, "agent_not_installed"]);
  });
});

test("a daemon with an agent that cannot be does not start", async () => {
  await expect(startTestDaemon({ acpAgents: [{ id: "mock", command: "x" }] })).rejects.toMatchObject({
    code: "invalid_request",
    message: 'The custom agent "mock" is an agent that is built in. Choose another id.',
  });
});
