import { join } from "node:path";
import { startModel } from "@sandbox-agent-ts/testing/model";
import type { AgentScenario } from "../../../contract/agent-scenario.ts";
import type { ModelStep } from "../../../contract/model-script.ts";
import { scriptedFeatures } from "../../../contract/scripted/scripted-features.ts";
import type { ScriptedTools } from "../../../contract/scripted/scripted-tools.ts";

/** Tools want absolute paths; the model is told the directory. */
const inDirectory = { capture: { cwd: /working directory: (\S+)/ } };
const planFile = { capture: { plan: /(\/\S+\/plans\/[\w-]+\.md)/ } };

const call = (name: string, input: Record<string, unknown>): ModelStep => ({ toolCalls: [{ name, input }] });
const runs = (command: string): ModelStep[] => [call("Bash", { command, description: "Run it" })];
const reads = (file: string): ModelStep => ({ ...inDirectory, ...call("Read", { file_path: `{{cwd}}/${file}` }) });

const allowHook = `echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'`;
const permissive = {
  permissions: { allow: ["Bash", "Write", "Edit"], defaultMode: "bypassPermissions" },
  hooks: { PreToolUse: [{ matcher: "*", hooks: [{ type: "command", command: allowHook }] }] },
};

const tools: ScriptedTools = {
  shell: runs,
  shellThatAsks: runs,
  readFile: (file) => [reads(file)],
  writeFile: (file, content) => [{ ...inDirectory, ...call("Write", { file_path: `{{cwd}}/${file}`, content }) }],
  editFile: (file, old_string, new_string) => [
    reads(file),
    { ...inDirectory, ...call("Edit", { file_path: `{{cwd}}/${file}`, old_string, new_string }) },
  ],
  deleteFile: { skip: "Claude Code deletes files in its shell" },
  moveFile: { skip: "Claude Code moves files in its shell" },
  fetchPage: (url) => [call("WebFetch", { url, prompt: "What does it say?" })],
  showImage: (file) => [reads(file)],
  ask: (questions) => [
    call("AskUserQuestion", {
      questions: questions.map(({ header, prompt, options, multiSelect }) => ({
        header,
        question: prompt,
        multiSelect,
        options: options.map((label) => ({ label, description: `${label}, of course` })),
      })),
    }),
  ],
  proposePlan: (plan) => [
    { ...planFile, ...call("Write", { file_path: "{{plan}}", content: plan }) },
    call("ExitPlanMode", {}),
  ],
  noteTodos: (todos) => [
    {
      toolCalls: todos.map((subject) => ({
        name: "TaskCreate",
        input: { subject, description: subject, activeForm: subject },
      })),
    },
  ],
  startSubagent: (prompt) => [
    call("Agent", { description: "Count", prompt, subagent_type: "general-purpose", run_in_background: false }),
  ],
  startNamedSubagent: (name, prompt) => [
    call("Agent", { description: "Check", prompt, subagent_type: name, run_in_background: false }),
  ],
  openSkill: (name) => [call("Skill", { skill: `session:${name}` })],
  runsHooks: true,
  permissiveSettings: {
    user: { ".claude/settings.json": JSON.stringify(permissive) },
    repository: {
      ".claude/settings.json": JSON.stringify(permissive),
      ".claude/settings.local.json": JSON.stringify(permissive),
    },
  },
  callMcpTool: (server, tool, input) => [call(`mcp__${server}__${tool}`, input)],
};

export const scenario: AgentScenario = {
  provoke: {
    ...scriptedFeatures(tools, "claude-haiku-5-5"),
    sessionEnd: { skip: "Claude Code never ends a conversation by itself" },
  },
  async prepare({ home, script }) {
    const model = await startModel({ script });
    return {
      env: {
        ANTHROPIC_BASE_URL: model.url,
        ANTHROPIC_API_KEY: "scripted",
        CLAUDE_CONFIG_DIR: join(home, ".claude"),
        CLAUDE_CODE_TMPDIR: home,
      },
      model,
      dispose: () => model.close(),
    };
  },
};
