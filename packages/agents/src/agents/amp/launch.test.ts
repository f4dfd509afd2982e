import { expect, test } from "vitest";
import type { SessionConfig } from "../../agent.ts";
import { launchArgs, launchEnv, launchStyles } from "./launch.ts";
import { ampModes } from "./modes.ts";
import { readHelp } from "./program-flags.ts";

const help = `
  -m, --mode <value>
      Set the agent mode (low, medium, high, ultra, or a plugin mode by key or label, case-insensitive) — controls
  --stream-json
      When used with --execute, output in stream JSON format
  --stream-json-thinking
  --stream-json-input
  --no-archive-after-execute
`;
const session = { agentMode: "build", env: { A: "session" } } as unknown as SessionConfig;
const files = { settingsFile: "/s/settings.json" };

test("flags and modes are what the program says it has", () => {
  const flags = readHelp(help);
  expect([...flags.names]).toEqual(expect.arrayContaining(["--mode", "--stream-json-input", "--execute"]));
  expect(flags.modes).toEqual(["low", "medium", "high", "ultra"]);
  expect(readHelp("--mode <value>").modes).toEqual(["low", "medium", "high", "ultra"]);
  expect(ampModes(["deep"]).map(({ id }) => id)).toEqual(["build", "plan", "deep"]);
});

test("the program is started in ever simpler ways", () => {
  expect(launchStyles(readHelp(help))).toEqual([
    { readsInput: true, flags: ["--stream-json-thinking", "--no-archive-after-execute", "--stream-json-input"] },
    { readsInput: false, flags: ["--stream-json-thinking", "--no-archive-after-execute"] },
    { readsInput: false, flags: ["--stream-json", "--no-archive-after-execute"] },
    { readsInput: false, flags: ["--stream-json"] },
  ]);
  expect(launchStyles(readHelp(""))).toEqual([{ readsInput: false, flags: ["--stream-json"] }]);
});

test("a message is read from stdin, or is one argument whatever it begins with", () => {
  const reads = { readsInput: true, flags: ["--stream-json-input"] };
  const takes = { readsInput: false, flags: ["--stream-json"] };
  const settings = ["--settings-file", "/s/settings.json"];
  expect(launchArgs({ session, ...files }, reads, "hi")).toEqual(["--stream-json-input", ...settings, "--execute"]);
  expect(launchArgs({ session, ...files }, takes, "--hi")).toEqual(["--stream-json", ...settings, "--execute=--hi"]);
});

test("a thread is gone on with, in the mode and with the servers of the session", () => {
  const [style] = launchStyles(readHelp(""));
  const high = { ...session, agentMode: "high" };
  const args = launchArgs({ session: high, ...files, threadId: "T-1", mcpFile: "/s/mcp.json" }, style!, "hi");
  expect(args.slice(0, 3)).toEqual(["threads", "continue", "T-1"]);
  expect(args.join(" ")).toContain("--mcp-config /s/mcp.json --mode high");
  expect(launchArgs({ session: { ...session, agentMode: "plan" }, ...files }, style!, "hi")).not.toContain("--mode");
});

test("the session's environment lies over the daemon's", () => {
  expect(launchEnv({ A: "daemon", B: "b" }, session)).toEqual({ A: "session", B: "b", AMP_SKIP_UPDATE_CHECK: "1" });
});
