import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startModel } from "@sandbox-agent-ts/testing";
import type { AgentScenario, Provocation, ProvokingMessage } from "../../../contract/agent-scenario.ts";
import { scriptedFeatures } from "../../../contract/scripted/scripted-features.ts";
import type { ScriptedTools } from "../../../contract/scripted/scripted-tools.ts";

/** Which tools a model gets depends on its name: this one has the shell, patches and images, an unknown one subagents. */
const MODEL = "gpt-5.5";
const UNKNOWN_MODEL = "gpt-of-another-day";

const allowTouch = 'prefix_rule(pattern=["touch"], decision="allow")\n';

const tools: ScriptedTools = {
  shell: command,
  shellThatAsks: command,
  readFile: (file) => command(`cat ${file}`),
  writeFile: (file, text) => patch(`*** Add File: ${file}`, ...lines(text).map((line) => `+${line}`)),
  editFile: (file, before, after) => patch(`*** Update File: ${file}`, "@@", `-${before}`, `+${after}`),
  deleteFile: (file) => patch(`*** Delete File: ${file}`),
  moveFile: (from, to, line) =>
    patch(`*** Update File: ${from}`, `*** Move to: ${to}`, "@@", `-${line}`, `+${line.toUpperCase()}`),
  fetchPage: { skip: "Codex fetches nothing itself; its model service searches the web" },
  showImage: (file) => [
    {
      capture: { cwd: /<cwd>(.*?)<\/cwd>/ },
      toolCalls: [{ name: "view_image", input: { path: `{{cwd}}/${file}` } }],
    },
  ],
  ask: (questions) => [
    {
      toolCalls: [
        {
          name: "request_user_input",
          input: {
            questions: questions.map(({ header, prompt, options }, at) => ({
              id: `question_${at}`,
              header,
              question: prompt,
              options: options.map((label) => ({ label, description: `It will be ${label}.` })),
            })),
          },
        },
      ],
    },
  ],
  proposePlan: (plan) => [{ text: `<proposed_plan>\n${plan}\n</proposed_plan>` }],
  noteTodos: (todos) => {
    const plan = todos.map((step, at) => ({ step, status: at === 0 ? "in_progress" : "pending" }));
    return [{ toolCalls: [{ name: "update_plan", input: { plan } }] }];
  },
  startSubagent: (message) => [
    { toolCalls: [{ name: "spawn_agent", namespace: "multi_agent_v1", input: { message } }] },
    {
      capture: { agent: /"agent_id":"([^"]+)"/ },
      toolCalls: [{ name: "wait_agent", namespace: "multi_agent_v1", input: { targets: ["{{agent}}"] } }],
    },
  ],
  startNamedSubagent: (name, message) => [
    { toolCalls: [{ name: "spawn_agent", namespace: "multi_agent_v1", input: { message, agent_type: name } }] },
    {
      capture: { agent: /"agent_id":"([^"]+)"/ },
      toolCalls: [{ name: "wait_agent", namespace: "multi_agent_v1", input: { targets: ["{{agent}}"] } }],
    },
  ],
  runsHooks: true,
  permissiveSettings: {
    user: { ".codex/rules/default.rules": allowTouch },
    repository: {
      ".codex/config.toml": 'approval_policy = "never"\nsandbox_mode = "danger-full-access"\n',
      ".codex/rules/default.rules": allowTouch,
    },
  },
  callMcpTool: (server, name, input) => [{ toolCalls: [{ name, namespace: `mcp__${server}`, input }] }],
};

const features = scriptedFeatures(tools, UNKNOWN_MODEL);
const planning = { agentMode: "plan" };

export const scenario: AgentScenario = {
  provoke: {
    ...features,
    profileSystemPrompt: change(features.profileSystemPrompt, {
      session: { permissionMode: "bypass", model: UNKNOWN_MODEL },
    }),
    subagent: change(features.subagent, { session: { permissionMode: "bypass", model: UNKNOWN_MODEL } }),
    questionAnswer: change(features.questionAnswer, { session: planning }),
    questionReject: change(features.questionReject, { session: planning }),
    interruptQuestion: change(features.interruptQuestion, { session: planning }),
    // Rejected means that the next message says what to change; nothing more is said until then.
    planReject: change(features.planReject, { replies: "" }),
    policyRead: { skip: "Codex reads files in its shell, and asks before no command that it takes for harmless" },
    sessionEnd: { skip: "Codex never ends a conversation by itself" },
  },
  async prepare({ home, script }) {
    const model = await startModel({ script });
    await mkdir(join(home, ".codex"));
    await writeFile(join(home, ".codex", "config.toml"), config(model.openaiUrl));
    return { env: { SCRIPTED_KEY: "scripted" }, model, dispose: () => model.close() };
  },
};

function config(url: string): string {
  return `model = "${MODEL}"
model_provider = "scripted"

[model_providers.scripted]
name = "scripted"
base_url = "${url}"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 2
stream_max_retries = 2
`;
}

function command(cmd: string) {
  return [{ toolCalls: [{ name: "exec_command", input: { cmd } }] }];
}

function patch(...hunk: string[]) {
  const input = ["*** Begin Patch", ...hunk, "*** End Patch"].join("\n");
  return [{ toolCalls: [{ name: "apply_patch", input }] }];
}

function lines(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}

function change(provocation: Provocation, changed: Partial<ProvokingMessage>): Provocation {
  return "skip" in provocation ? provocation : { ...provocation, ...changed };
}
