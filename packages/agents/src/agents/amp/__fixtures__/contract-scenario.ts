import { startModel } from "@sandbox-agent-ts/testing/model";
import type { AgentScenario, Provocation } from "../../../contract/agent-scenario.ts";
import type { ModelStep } from "../../../contract/model-script.ts";
import { scriptedFeatures } from "../../../contract/scripted/scripted-features.ts";
import type { ScriptedTools } from "../../../contract/scripted/scripted-tools.ts";

/** `Read` wants an absolute path; Amp's program tells its service where it is. */
const inDirectory = { capture: { cwd: /"workingDirectory":"file:\/\/([^"]+)"/ } };

const call = (name: string, input: Record<string, unknown>): ModelStep => ({ toolCalls: [{ name, input }] });
const runs = (command: string): ModelStep[] => [call("shell_command", { command })];
const reads = (file: string): ModelStep[] => [{ ...inDirectory, ...call("Read", { path: `{{cwd}}/${file}` }) }];
const patches = (...lines: string[]): ModelStep[] => [
  call("apply_patch", { patchText: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n") }),
];

const permissive = { "amp.permissions": [{ tool: "*", action: "allow" }], "amp.dangerouslyAllowAll": true };

const tools: ScriptedTools = {
  shell: runs,
  shellThatAsks: runs,
  readFile: reads,
  writeFile: (file, text) =>
    patches(
      `*** Add File: ${file}`,
      ...text
        .replace(/\n$/, "")
        .split("\n")
        .map((line) => `+${line}`),
    ),
  editFile: (file, before, after) => patches(`*** Update File: ${file}`, "@@", `-${before}`, `+${after}`),
  deleteFile: (file) => patches(`*** Delete File: ${file}`),
  moveFile: (from, to, line) =>
    patches(`*** Update File: ${from}`, `*** Move to: ${to}`, "@@", `-${line}`, `+${line.toUpperCase()}`),
  fetchPage: (url) => [call("read_web_page", { url })],
  showImage: reads,
  ask: { skip: "Amp has no tool to ask questions with" },
  proposePlan: { skip: "Amp has no tool to propose a plan with" },
  noteTodos: { skip: "this version of Amp keeps no list of things to do" },
  startSubagent: { skip: "Amp's subagents run in its service, and its program does not print what they do" },
  startNamedSubagent: { skip: "Amp has no subagents that a user can define" },
  runsHooks: { skip: "Amp has plugins in TypeScript instead of hooks" },
  permissiveSettings: {
    user: { ".config/amp/settings.json": JSON.stringify(permissive) },
    repository: { ".amp/settings.json": JSON.stringify({ "amp.permissions": permissive["amp.permissions"] }) },
  },
  callMcpTool: (server, tool, input) => [call(`mcp__${server}__${tool}`, input)],
};

const features = scriptedFeatures(tools, "none");
const noModels = { skip: "Amp's service chooses the model; a session chooses a mode" };

/** Of a message Amp prints nothing before it is complete: what is to happen in the middle of one comes after a tool. */
function afterTool(provocation: Provocation): Provocation {
  if ("skip" in provocation) return provocation;
  const script = [...runs("echo begun"), ...(provocation.script ?? [])];
  return { ...provocation, session: { ...provocation.session, permissionMode: "bypass" }, script };
}

export const scenario: AgentScenario = {
  provoke: {
    ...features,
    deltas: { skip: "Amp prints messages when they are complete" },
    model: noModels,
    modelChange: noModels,
    unknownModel: noModels,
    // Of one very long line Amp keeps nothing.
    hugeOutput: {
      message: "Print very much.",
      session: { permissionMode: "bypass" },
      script: [...runs("head -c 20000000 /dev/zero | tr '\\0' x | fold -w 1000"), { text: "Ran it." }],
      results: "xxxx",
    },
    interruptText: afterTool(features.interruptText),
    interruptHang: afterTool(features.interruptHang),
    closeText: afterTool(features.closeText),
    killedBusy: afterTool(features.killedBusy),
    restored: {
      skip: "its conversations cannot be written from outside: the daemon tells it what was said before the first message",
    },
    sessionEnd: { skip: "Amp never ends a conversation by itself" },
  },
  async prepare({ script }) {
    const model = await startModel({ script, refusedKeys: ["wrong"] });
    return { env: { AMP_URL: model.ampUrl, AMP_API_KEY: "scripted" }, model, dispose: () => model.close() };
  },
};
