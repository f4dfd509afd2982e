import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startModel } from "@sandbox-agent-ts/testing";
import { noReasons } from "../../../acp/__fixtures__/no-reasons.ts";
import type { AgentScenario, Provocation, ProvokingMessage } from "../../../contract/agent-scenario.ts";
import type { ModelStep } from "../../../contract/model-script.ts";
import { scriptedFeatures } from "../../../contract/scripted/scripted-features.ts";
import type { ScriptedTools } from "../../../contract/scripted/scripted-tools.ts";
import { withStep } from "../../../contract/scripted/using.ts";

const MODEL = "gemini-3.8-flash";
const OTHER_MODEL = "gemini-2.5-pro";

/** One text of the suite repeats itself. */
const userSettings = '{ "model": { "disableLoopDetection": true } }';

const noQuestions = { skip: "Gemini CLI has no tool for questions over ACP" };

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
  permissiveSettings: {
    skip: "what the settings of the user or of the directory allow, Gemini CLI does in every mode",
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
      asides: [
        {
          name: "subagent that asks",
          when: { prompt: "Touch the buoy." },
          steps: [...command("touch buoy.txt"), call("complete_task", { result: { response: "I asked." } })],
        },
      ],
    }),
    subagent: change(features.subagent, {
      asides: [
        {
          name: "subagent",
          when: { prompt: "Count the lighthouses." },
          steps: [...command("echo three lighthouses"), call("complete_task", { result: { response: "Three." } })],
        },
      ],
    }),
    cutStream: {
      message: "Cut the stream.",
      script: [{ text: ["It was a dark ", "and stormy night"], cut: 1 }],
      ends: "error",
    },
    // Over ACP a rejection takes no words: they follow as a message, which the model answers, too.
    planFeedback: withStep(features.planFeedback, { text: "Limestone it is." }),
    permissionReason: noReasons,
    interruptForks: { skip: "what a command detaches from Gemini CLI goes on until the session is closed" },
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

function change(provocation: Provocation, changed: Partial<ProvokingMessage>): Provocation {
  return "skip" in provocation ? provocation : { ...provocation, ...changed };
}
