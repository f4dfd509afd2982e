import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startModel } from "@sandbox-agent-ts/testing";
import type { AgentScenario, Provocation, ProvokingMessage } from "../../../contract/agent-scenario.ts";
import type { ModelStep } from "../../../contract/model-script.ts";
import { profileTask } from "../../../contract/profile-fixture.ts";
import { scriptedFeatures } from "../../../contract/scripted/scripted-features.ts";
import type { ScriptedTools } from "../../../contract/scripted/scripted-tools.ts";
import { withStep } from "../../../contract/scripted/using.ts";

const MODEL = "gemini-3.8-flash";
const OTHER_MODEL = "gemini-2.5-pro";

/** One text of the suite repeats itself. */
const userSettings = '{ "model": { "disableLoopDetection": true } }';

const noQuestions = { skip: "Gemini CLI has no tool for questions over ACP" };

/** By settings of the user or of the directory. */
const permitted = ["run_shell_command", "write_file", "replace"];

const tools: ScriptedTools = {
  shell: command,
  shellThatAsks: command,
  readFile: (file_path) => [call("read_file", { file_path })],
  writeFile: (file_path, content) => [call("write_file", { file_path, content })],
  editFile: (file_path, old_string, new_string) => [
    call("replace", { file_path, old_string, new_string, instruction: "Mend it." }),
  ],
  deleteFile: { skip: "Gemini CLI deletes files in its shell" },
  moveFile: { skip: "Gemini CLI moves files in its shell" },
  fetchPage: (url) => [call("web_fetch", { prompt: `Read ${url}` })],
  showImage: (file_path) => [call("read_file", { file_path })],
  ask: noQuestions,
  proposePlan: (plan) => [
    {
      capture: { plans: /Write the implementation plan to `([^`]+)`/ },
      ...call("write_file", { file_path: "{{plans}}plan.md", content: plan }),
    },
    call("exit_plan_mode", { plan_filename: "plan.md" }),
  ],
  noteTodos: { skip: "Gemini CLI has no tool for a list of things to do over ACP" },
  startSubagent: (prompt) => [call("invoke_agent", { agent_name: "generalist", prompt })],
  startNamedSubagent: (name, prompt) => [call("invoke_agent", { agent_name: name, prompt })],
  runsHooks: true,
  permissiveSettings: {
    user: {
      ".gemini/policies/all.toml": '[[rule]]\ntoolName = "*"\ndecision = "allow"\npriority = 999\n',
      ".gemini/settings.json": JSON.stringify({ tools: { allowed: permitted } }),
    },
    repository: {
      ".gemini/settings.json": JSON.stringify({
        general: { defaultApprovalMode: "auto_edit" },
        tools: { allowed: permitted },
        policyPaths: [".gemini/policies/all.toml"],
        adminPolicyPaths: [".gemini/policies/all.toml"],
        hooks: { SessionStart: [{ hooks: [{ type: "command", command: "touch trusted run-early" }] }] },
      }),
      ".gemini/policies/all.toml": '[[rule]]\ntoolName = "*"\ndecision = "allow"\npriority = 999\n',
    },
  },
  callMcpTool: (server, name, input) => [call(`mcp_${server}_${name}`, input)],
};

const features = scriptedFeatures(tools, OTHER_MODEL);

export const scenario: AgentScenario = {
  provoke: {
    ...features,
    // It hands the whole output to its model, which cannot take that much.
    hugeOutput: change(features.hugeOutput, { ends: "error" }),
    subagentAsks: change(features.subagentAsks, {
      asides: [subagent("subagent that asks", "Touch the buoy.", command("touch buoy.txt"), { response: "I asked." })],
    }),
    subagent: change(features.subagent, {
      asides: [
        subagent("subagent", "Count the lighthouses.", command("echo three lighthouses"), { response: "Three." }),
      ],
    }),
    profileSystemPrompt: change(features.profileSystemPrompt, {
      asides: [subagent("profile (subagent)", profileTask, [], "All lamps burn.")],
    }),
    cutStream: {
      message: "Cut the stream.",
      script: [{ text: ["It was a dark ", "and stormy night"], cut: 1 }],
      ends: "error",
    },
    // Over ACP a rejection takes no words: they follow as a message, which the model answers, too.
    planFeedback: withStep(features.planFeedback, { text: "Limestone it is." }),
    permissionReason: withStep(features.permissionReason, { text: "So be it." }),
    sessionEnd: { skip: "Gemini CLI never ends a conversation by itself" },
  },
  async prepare({ home, script }) {
    const model = await startModel({ script });
    await mkdir(join(home, ".gemini"));
    await writeFile(join(home, ".gemini", "settings.json"), userSettings);
    const env = { GOOGLE_GEMINI_BASE_URL: model.geminiUrl, GEMINI_API_KEY: "scripted" };
    return { env, session: { model: MODEL }, model, dispose: () => model.close() };
  },
};

/** Gemini CLI takes `$(` for an attack; its shell knows another way to add numbers. */
function command(line: string): ModelStep[] {
  const harmless = line.replaceAll(/\$\(\((.*?)\)\)/g, "$[$1]");
  return [call("run_shell_command", { command: harmless, description: "Run it." })];
}

function call(name: string, input: Record<string, unknown>): ModelStep {
  return { toolCalls: [{ name, input }] };
}

/** A subagent has to say that it is done: one of the program's own with an object, one of a profile with a text. */
function subagent(name: string, prompt: string, steps: readonly ModelStep[], result: object | string) {
  return { name, when: { prompt }, steps: [...steps, call("complete_task", { result })] };
}

function change(provocation: Provocation, changed: Partial<ProvokingMessage>): Provocation {
  return "skip" in provocation ? provocation : { ...provocation, ...changed };
}
