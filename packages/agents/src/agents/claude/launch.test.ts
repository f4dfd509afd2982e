import { expect, test } from "vitest";
import type { SessionConfig } from "../../agent.ts";
import { changesOfMode, type LaunchOptions, launchArgs, launchEnv } from "./launch.ts";

const session: SessionConfig = {
  sessionId: "s",
  agentMode: "build",
  permissionMode: "default",
  directory: "/p",
  env: {},
};

function flagsOf(config: Partial<SessionConfig>, options: Partial<LaunchOptions> = {}): Record<string, string> {
  const args = launchArgs({ session: { ...session, ...config }, permissionMode: null, ...options });
  return Object.fromEntries(args.flatMap((arg, at) => (arg.startsWith("--") ? [[arg, args[at + 1] ?? ""]] : [])));
}

test.each([
  ["build", "default", "default"],
  ["build", "plan", "plan"],
  ["build", "acceptEdits", "acceptEdits"],
  ["build", "bypass", "bypassPermissions"],
  ["plan", "acceptEdits", "plan"],
] as const)("the mode %s with permission mode %s begins as %s", (agentMode, permissionMode, native) => {
  expect(flagsOf({ agentMode, permissionMode })).toMatchObject({ "--permission-mode": native });
});

test("a session in plan mode that may everything later must be launched so", () => {
  expect(flagsOf({ agentMode: "plan", permissionMode: "bypass" })).toHaveProperty(
    "--allow-dangerously-skip-permissions",
  );
});

test("a plan that was approved since stays approved in a new process", () => {
  const flags = flagsOf({ agentMode: "plan" }, { permissionMode: "default" });
  expect(flags).toMatchObject({ "--permission-mode": "default" });
});

test.each([
  ["build", "plan", { permission_mode: "plan" }],
  ["build", "bypassPermissions", { permission_mode: "bypass" }],
  ["plan", "acceptEdits", { permission_mode: "acceptEdits", agent_mode: "build" }],
  ["build", "auto", undefined],
])("in a session of mode %s the mode %s is told as %j", (agentMode, native, changes) => {
  expect(changesOfMode(native, { agentMode })).toEqual(changes);
});

test("a conversation is gone on with by its id, or begun under it", () => {
  expect(flagsOf({}, { conversation: { id: "c", isNew: false } })).toMatchObject({ "--resume": "c" });
  expect(flagsOf({}, { conversation: { id: "c", isNew: true } })).toMatchObject({ "--session-id": "c" });
});

test("model, variant and system prompt are handed over", () => {
  const flags = flagsOf({ model: "opus", variant: "high", systemPrompt: "Be brief." });
  expect(flags).toMatchObject({ "--model": "opus", "--effort": "high", "--append-system-prompt": "Be brief." });
});

test("the session's environment stands above the host's, and only bypass says that this is a sandbox", () => {
  const host = { PATH: "/bin", KEY: "host", CLAUDECODE: "1", CLAUDE_CODE_MAX_RETRIES: "1" };
  const env = launchEnv(host, { env: { KEY: "session" }, permissionMode: "default" });
  expect(env).toMatchObject({ PATH: "/bin", KEY: "session", CLAUDE_CODE_MAX_RETRIES: "1" });
  expect(env).not.toHaveProperty("CLAUDECODE");
  expect(env).not.toHaveProperty("IS_SANDBOX");
  expect(launchEnv(host, { env: {}, permissionMode: "bypass" })).toHaveProperty("IS_SANDBOX", "1");
});
