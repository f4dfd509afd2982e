import { startModel } from "@sandbox-agent-ts/testing/model";
import type { AgentScenario, Provocation, ProvokingMessage } from "../../../contract/agent-scenario.ts";
import type { ModelStep } from "../../../contract/model-script.ts";
import { scriptedFeatures } from "../../../contract/scripted/scripted-features.ts";
import type { ScriptedTools } from "../../../contract/scripted/scripted-tools.ts";

const OTHER_MODEL = "scripted/other";
/** Models of this family change files by patches. */
const PATCHING_MODEL = "scripted/gpt-5.4";

const call = (name: string, input: Record<string, unknown>): ModelStep => ({ toolCalls: [{ name, input }] });
const runs = (command: string): ModelStep[] => [call("bash", { command, description: "Run it" })];
const reads = (filePath: string): ModelStep => call("read", { filePath });
/** The model is told which file the plan belongs in. */
const planFile = { capture: { plan: /(\/\S+\/plans\/[\w-]+\.md)/ } };

const patch = (...hunk: string[]): ModelStep[] => [
  call("apply_patch", { patchText: ["*** Begin Patch", ...hunk, "*** End Patch"].join("\n") }),
];

const rules = { bash: { "*": "allow", "touch *": "allow" }, edit: { "*": "allow", "*.txt": "allow" } };
const permissive = {
  permission: { "*": "allow", ...rules },
  agent: { build: { permission: rules }, plan: { permission: rules } },
};
/** Answers in the place of a person. */
const allowingPlugin = `export const Allow = async ({ client }) => ({
  event: async ({ event: { type, properties } }) => {
    if (type !== "permission.asked") return;
    const path = { id: properties.sessionID, permissionID: properties.id };
    await client.postSessionIdPermissionsPermissionId({ path, body: { response: "once" } });
  },
});
`;

const tools: ScriptedTools = {
  shell: runs,
  shellThatAsks: runs,
  readFile: (file) => [reads(file)],
  writeFile: (filePath, content) => [call("write", { filePath, content })],
  editFile: (filePath, oldString, newString) => [reads(filePath), call("edit", { filePath, oldString, newString })],
  deleteFile: (file) => patch(`*** Delete File: ${file}`),
  moveFile: (from, to, line) =>
    patch(`*** Update File: ${from}`, `*** Move to: ${to}`, "@@", `-${line}`, `+${line.toUpperCase()}`),
  fetchPage: (url) => [call("webfetch", { url, format: "text" })],
  showImage: (file) => [reads(file)],
  ask: (questions) => [
    call("question", {
      questions: questions.map(({ header, prompt, options, multiSelect }) => ({
        header,
        question: prompt,
        multiple: multiSelect,
        options: options.map((label) => ({ label, description: `${label}, of course` })),
      })),
    }),
  ],
  proposePlan: (content) => [
    { ...planFile, ...call("write", { filePath: "{{plan}}", content }) },
    call("plan_exit", {}),
  ],
  noteTodos: (todos) => [
    call("todowrite", { todos: todos.map((content) => ({ content, status: "pending", priority: "medium" })) }),
  ],
  startSubagent: (prompt) => [call("task", { description: "Count", prompt, subagent_type: "general" })],
  startNamedSubagent: (name, prompt) => [call("task", { description: "Check", prompt, subagent_type: name })],
  runsHooks: { skip: "OpenCode has plugins in JavaScript instead of hooks" },
  permissiveSettings: {
    user: { ".config/opencode/opencode.json": JSON.stringify(permissive) },
    repository: {
      "opencode.json": JSON.stringify(permissive),
      ".opencode/opencode.json": JSON.stringify(permissive),
      ".opencode/plugin/allow.js": allowingPlugin,
    },
  },
  callMcpTool: (server, tool, input) => [call(`${server}_${tool}`, input)],
};

const features = scriptedFeatures(tools, OTHER_MODEL);

export const scenario: AgentScenario = {
  provoke: {
    ...features,
    // It knows its models by name and asks nobody for others; this one is in the config, and the service does not have it.
    unknownModel: change(features.unknownModel, { session: { model: "scripted/no-such-model" } }),
    permissionDelete: change(features.permissionDelete, { session: { model: PATCHING_MODEL } }),
    permissionMove: change(features.permissionMove, { session: { model: PATCHING_MODEL } }),
    model: change(features.model, { modelSees: "other" }),
    sessionEnd: { skip: "OpenCode never ends a conversation by itself" },
  },
  async prepare({ script }) {
    const model = await startModel({ script });
    return { env: environment(model.openaiUrl), model, dispose: () => model.close() };
  },
};

/** A provider at this address, as a user would configure one; and no package is fetched for plugins. */
export function environment(url: string, more: object = {}): Record<string, string> {
  const model = {
    reasoning: true,
    tool_call: true,
    attachment: true,
    limit: { context: 200_000, output: 8_192 },
    modalities: { input: ["text", "image"], output: ["text"] },
  };
  const config = {
    ...more,
    model: "scripted/model",
    small_model: "scripted/model",
    enabled_providers: ["scripted"],
    provider: {
      scripted: {
        npm: "@ai-sdk/openai-compatible",
        name: "Scripted",
        options: { baseURL: url, apiKey: "scripted" },
        models: { model, other: model, "gpt-5.4": model, "no-such-model": model },
      },
    },
  };
  return { OPENCODE_CONFIG_CONTENT: JSON.stringify(config), NPM_CONFIG_OFFLINE: "true" };
}

function change(provocation: Provocation, changed: Partial<ProvokingMessage>): Provocation {
  return "skip" in provocation ? provocation : { ...provocation, ...changed };
}
