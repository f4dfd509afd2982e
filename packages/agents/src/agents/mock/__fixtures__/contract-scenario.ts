import type { AgentScenario } from "../../../contract/agent-scenario.ts";

const noModel = { skip: "the mock has no model that could fail" };
const noProgram = { skip: "the mock runs nothing" };
const planning = { permissionMode: "plan" } as const;

export const scenario: AgentScenario = {
  provoke: {
    text: { message: "good morning", replies: "good morning" },
    deltas: { message: "markdown", replies: "A quotation." },
    reasoning: { message: "markdown" },
    memory: { after: { message: "good morning" }, message: "what did I say before?", replies: "good morning" },
    unicode: { message: "né€😀 👩‍👩‍👧 é 한글", replies: "né€😀 👩‍👩‍👧 é 한글" },
    usage: { message: "one two three" },
    status: { message: "status" },

    toolCall: { message: "tool", results: "export const greeting" },
    parallelTools: { message: "parallel", results: ["No cats", "No dogs", "No birds"] },
    command: { message: "tool", results: "3 passed, 0 failed" },
    failedCommand: { message: "fail", results: "without a full stop" },
    hugeOutput: { message: "burst 20 1000000" },
    fileWrite: { message: "tool" },
    fileEdit: { message: "tool" },
    image: { message: "image" },
    subagent: { message: "tool" },
    mcpTool: { skip: "the mock starts no MCP servers" },
    skill: { skip: "the mock has no skills" },

    permissionOnce: { message: "permission" },
    permissionAlways: { message: "permission", other: { message: "edit", replies: "I left the greeting alone" } },
    alwaysOnlyThat: { message: "permission", other: { message: "edit", replies: "I left the greeting alone" } },
    planDespiteSettings: { skip: "the mock reads no settings" },
    planDespiteMode: { skip: "of the mock only the permission mode `plan` is read-only" },
    planFeedback: { message: "plan", session: planning, replies: "keep planning" },
    untrustedSettings: { skip: "the mock reads no settings" },
    permissionReject: { message: "permission" },
    acceptEdits: { message: "edit", session: { permissionMode: "acceptEdits" }, replies: "I changed the greeting" },
    bypass: { message: "permission", session: { permissionMode: "bypass" } },
    questionAnswer: { message: "question", replies: "Colour: Blue" },
    questionReject: { message: "question", replies: "declined" },
    planReadOnly: { message: "permission", session: { permissionMode: "plan" }, replies: "read-only" },
    planApprove: { message: "plan", session: planning, asks: "Greet the whole world", replies: "building" },
    planReject: { message: "plan", session: planning, asks: "Greet the whole world", replies: "keep planning" },

    systemPrompt: { skip: "the mock has no model to prompt" },
    model: { skip: "the mock has no model to choose" },
    environment: noProgram,
    imageAttachment: {
      message: "look at this",
      attach: [{ file: "cat.png", mime: "image/png" }],
      replies: "cat.png (image/png)",
    },
    fileAttachment: {
      message: "read this",
      attach: [{ file: "notes.txt", mime: "text/plain" }],
      replies: "notes.txt (text/plain)",
    },

    interruptText: { message: "slow 1000 20" },
    interruptTool: noProgram,
    interruptPermission: { message: "permission" },
    interruptQuestion: { message: "question" },
    interruptHang: noModel,
    closeText: { message: "slow 1000 20" },
    closeTool: noProgram,

    twoSessions: {
      message: "echo apples and apples",
      replies: "apples",
      other: { message: "echo pears and pears", replies: "pears" },
    },
    resume: { message: "good evening" },
    killedIdle: noProgram,
    killedBusy: noProgram,
    killedTool: noProgram,
    alwaysAfterRestart: { message: "permission" },
    planAfterRestart: {
      message: "plan",
      session: planning,
      replies: "building",
      other: { message: "permission", replies: "I removed the build folder" },
    },
    modelChange: { skip: "the mock has no model to choose" },
    permissionModeChange: { message: "permission" },
    planAgain: {
      message: "plan",
      session: planning,
      replies: "building",
      other: { message: "plan", replies: "building" },
    },
    sessionEnd: { message: "end" },

    error: { message: "error" },
    wrongKey: noModel,
    unknownModel: noModel,
    rateLimit: noModel,
    serverError: noModel,
    lastingRateLimit: noModel,
    lastingServerError: noModel,
    cutStream: noModel,
  },
};
