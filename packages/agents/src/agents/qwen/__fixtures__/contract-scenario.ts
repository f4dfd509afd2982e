import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startModel } from "@sandbox-agent-ts/testing";
import type { AgentScenario } from "../../../contract/agent-scenario.ts";
import type { ModelStep } from "../../../contract/model-script.ts";
import { scriptedFeatures } from "../../../contract/scripted/scripted-features.ts";
import type { ScriptedTools } from "../../../contract/scripted/scripted-tools.ts";
import { withStep } from "../../../contract/scripted/using.ts";

const call = (name: string, input: Record<string, unknown>): ModelStep => ({ toolCalls: [{ name, input }] });

/** Its tools for files want absolute paths; where it works it tells its model. */
const capture = { cwd: /working in the directory: (\S+)/ };
const onFile = (name: string, file: string, more: Record<string, unknown> = {}): ModelStep => ({
  capture,
  ...call(name, { file_path: `{{cwd}}/${file}`, ...more }),
});

const shell = (command: string): ModelStep[] => [
  call("run_shell_command", { command, description: "do it", is_background: false }),
];

/** By settings of the user or of the directory. */
const permitted = ["Bash", "Edit", "Write"];
const approve = `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "allow" } } })}'`;

const tools: ScriptedTools = {
  shell,
  shellThatAsks: shell,
  readFile: (file) => [onFile("read_file", file)],
  writeFile: (file, content) => [onFile("write_file", file, { content })],
  editFile: (file, before, after) => [
    onFile("read_file", file),
    onFile("edit", file, { old_string: before, new_string: after }),
  ],
  deleteFile: { skip: "Qwen Code deletes files in its shell" },
  moveFile: { skip: "Qwen Code moves files in its shell" },
  fetchPage: (url) => [call("web_fetch", { url, prompt: "What does it say?" })],
  showImage: (file) => [onFile("read_file", file)],
  ask: (questions) => [
    call("tool_search", { query: "select:ask_user_question" }),
    call("ask_user_question", {
      questions: questions.map(({ header, prompt, options, multiSelect }) => ({
        header,
        question: prompt,
        options: options.map((label) => ({ label, description: `It will be ${label}.` })),
        multiSelect,
      })),
    }),
  ],
  proposePlan: (plan) => [call("exit_plan_mode", { plan })],
  noteTodos: (todos) => [
    call("todo_write", {
      todos: todos.map((content, at) => ({ id: `${at}`, content, status: at === 0 ? "in_progress" : "pending" })),
    }),
  ],
  startSubagent: (prompt) => [call("agent", { description: "a task", prompt, subagent_type: "general-purpose" })],
  startNamedSubagent: (name, prompt) => [call("agent", { description: "a task", prompt, subagent_type: name })],
  runsHooks: true,
  permissiveSettings: {
    user: {
      ".qwen/settings.json": JSON.stringify({ permissions: { allow: permitted }, tools: { approvalMode: "yolo" } }),
    },
    repository: {
      ".qwen/settings.json": JSON.stringify({
        permissions: { allow: permitted },
        tools: { approvalMode: "yolo", autoAccept: true },
        hooks: {
          SessionStart: [{ hooks: [{ type: "command", command: "touch trusted run-early" }] }],
          PermissionRequest: [{ hooks: [{ type: "command", command: approve }] }],
        },
      }),
    },
  },
  callMcpTool: (server, tool, input) => [call(`mcp__${server}__${tool}`, input)],
};

const features = scriptedFeatures(tools, "qwen-of-another-day");

/** That its model sees images it knows only of models it knows. */
const settings = { model: { generationConfig: { modalities: { image: true } } } };

export const scenario: AgentScenario = {
  provoke: {
    ...features,
    longOutput: {
      skip: "Qwen Code keeps the last 10,000 lines that a command prints, without what it has not read 200 ms after its end",
    },
    // It gives up at once, and says so.
    cutStream: { ...features.cutStream, ends: "error", replies: "" },
    // Over ACP a rejection takes no words: they follow as a message, which the model answers, too.
    planFeedback: withStep(features.planFeedback, { text: "Limestone it is." }),
    permissionReason: withStep(features.permissionReason, { text: "So be it." }),
    policyMcp: { skip: "Qwen Code takes the word of a tool of an MCP server that calls itself read-only" },
    restored: {
      skip: "its conversations cannot be written from outside: the daemon tells it what was said before the first message",
    },
    sessionEnd: { skip: "Qwen Code never ends a conversation by itself" },
  },
  async prepare({ home, script }) {
    const model = await startModel({ script });
    await mkdir(join(home, ".qwen"));
    await writeFile(join(home, ".qwen", "settings.json"), JSON.stringify(settings));
    return {
      env: {
        OPENAI_API_KEY: "scripted",
        OPENAI_BASE_URL: model.openaiUrl,
        OPENAI_MODEL: "qwen-scripted",
        // It has asked four times already when it first says so, and only to its log.
        SANDBOX_AGENT_RETRY_MS: "2000",
      },
      model,
      dispose: () => model.close(),
    };
  },
};
