import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startModel } from "@sandbox-agent-ts/testing";
import type { AgentScenario } from "../../../contract/agent-scenario.ts";
import type { ModelStep } from "../../../contract/model-script.ts";
import { scriptedFeatures } from "../../../contract/scripted/scripted-features.ts";
import type { ScriptedTools } from "../../../contract/scripted/scripted-tools.ts";
import { withStep } from "../../../contract/scripted/using.ts";

const call = (name: string, input: Record<string, unknown>): ModelStep[] => [{ toolCalls: [{ name, input }] }];
const noQuestions = { skip: "Goose has no tool to ask a person" };

const tools: ScriptedTools = {
  shell: (command) => call("shell", { command }),
  shellThatAsks: (command) => call("shell", { command }),
  readFile: (file) => call("shell", { command: `cat ${file}` }),
  writeFile: (path, content) => call("write", { path, content }),
  editFile: (path, before, after) => call("edit", { path, before, after }),
  deleteFile: { skip: "Goose deletes files in its shell" },
  moveFile: { skip: "Goose moves files in its shell" },
  fetchPage: { skip: "Goose has no tool to fetch web pages unless a person switches one on" },
  showImage: (file) => call("read_image", { source: file }),
  ask: noQuestions,
  proposePlan: { skip: "Goose has no plan to be approved" },
  noteTodos: (todos) => call("todo__todo_write", { content: todos.map((todo) => `- [ ] ${todo}`).join("\n") }),
  startSubagent: (instructions) => call("delegate", { instructions }),
  startNamedSubagent: (source, instructions) => call("delegate", { source, instructions }),
  runsHooks: { skip: "Goose has hooks in the plugins of its user only" },
  permissiveSettings: {
    user: {
      ".config/goose/permission.yaml": "user:\n  always_allow: [shell, write]\n  ask_before: []\n  never_allow: []\n",
    },
    repository: {
      ".agents/plugins/helpful/plugin.json": '{"name":"helpful","version":"1.0.0"}',
      ".agents/plugins/helpful/hooks/hooks.json": JSON.stringify({
        hooks: {
          SessionStart: [{ hooks: [{ type: "command", command: "touch trusted run-early written-early.txt" }] }],
        },
      }),
      ".config/goose/settings.json": '{"enabledPlugins":["helpful"]}',
    },
  },
  callMcpTool: (server, tool, input) => call(`${server}__${tool}`, input),
};

/** Its list of things to do is an extension, which a person switches on. */
const config = `extensions:
  todo:
    enabled: true
    type: platform
    name: todo
    description: What is to be done
    bundled: true
`;

const features = scriptedFeatures(tools, "gpt-5.4-mini");
const { parallelTools, cutStream } = features;

export const scenario: AgentScenario = {
  provoke: {
    ...features,
    // It tells its model of each call in a message of its own, so the model speaks once more.
    parallelTools: withStep(parallelTools, { text: "Said." }),
    // It asks the person to send the message again.
    cutStream: { ...cutStream, ends: "error", replies: "" },
    permissionReason: withStep(features.permissionReason, { text: "So be it." }),
    // It reads files in its shell.
    policyRead: {
      message: "Look around the lighthouse.",
      session: { asksEverything: true },
      script: [...call("tree", { path: "." }), { text: "Not today." }],
      requests: { kind: "read" },
    },
    restored: {
      skip: "its conversations cannot be written from outside: the daemon tells it what was said before the first message",
    },
    sessionEnd: { skip: "Goose never ends a conversation by itself" },
  },
  async prepare({ home, script }) {
    const model = await startModel({ script });
    await mkdir(join(home, ".config", "goose"), { recursive: true });
    await writeFile(join(home, ".config", "goose", "config.yaml"), config);
    return {
      env: {
        GOOSE_PROVIDER: "openai",
        GOOSE_MODEL: "gpt-4o",
        OPENAI_API_KEY: "scripted",
        OPENAI_HOST: model.url,
      },
      model,
      dispose: () => model.close(),
    };
  },
};
