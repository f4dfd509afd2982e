import type { AgentScenario, Skipped } from "@sandbox-agent-ts/agents/contract";

const no = (what: string): Skipped => ({ skip: `the fake agent has no ${what}` });
const counting = { message: "slow 1000 20" };

/** The fake agent has a real process and no model: it shows what a process can do and suffer. */
export const scenario: AgentScenario = {
  provoke: {
    text: { message: "good morning", replies: "good morning" },
    deltas: { message: "a few words more", replies: "a few words more" },
    reasoning: no("reasoning"),
    memory: { skip: "the fake agent remembers nothing" },
    unicode: { message: "half-char", replies: "né€😀!" },
    usage: no("tokens to count"),
    status: no("status"),

    toolCall: no("tools"),
    parallelTools: no("tools"),
    command: no("tools"),
    failedCommand: no("tools"),
    hugeOutput: { message: "flood 20000 1000" },
    fileWrite: no("tools"),
    fileEdit: no("tools"),
    image: no("images"),
    subagent: no("subagents"),
    mcpTool: no("tools"),
    skill: no("skills"),

    permissionOnce: { message: "permission", replies: "replied once" },
    permissionAlways: { skip: "the fake agent asks every time" },
    alwaysOnlyThat: { skip: "the fake agent asks every time" },
    planDespiteSettings: no("settings"),
    planDespiteMode: no("plan mode"),
    planFeedback: no("plan mode"),
    untrustedSettings: no("settings"),
    permissionReject: { message: "permission", replies: "replied reject" },
    acceptEdits: no("tools"),
    bypass: { skip: "the fake agent asks in every mode" },
    questionAnswer: no("questions"),
    questionReject: no("questions"),
    planReadOnly: no("plans"),
    planApprove: no("plans"),
    planReject: no("plans"),

    systemPrompt: no("model"),
    model: no("model"),
    environment: no("commands"),
    imageAttachment: no("eyes for attachments"),
    fileAttachment: no("eyes for attachments"),

    interruptText: counting,
    interruptTool: no("tools"),
    interruptPermission: { message: "permission" },
    interruptQuestion: no("questions"),
    interruptHang: no("model"),
    closeText: counting,
    closeTool: no("tools"),

    twoSessions: {
      message: "apples and apples",
      replies: "apples",
      other: { message: "pears and pears", replies: "pears" },
    },
    resume: { message: "good evening" },
    killedIdle: { message: "good night" },
    killedTool: no("tools"),
    killedBusy: { ...counting, after: { message: "good day" } },
    alwaysAfterRestart: { skip: "the fake agent asks every time" },
    planAfterRestart: no("plans"),
    modelChange: no("model"),
    permissionModeChange: { skip: "the fake agent asks in every mode" },
    planAgain: no("plans"),
    sessionEnd: { skip: "the fake agent never ends a conversation by itself" },

    error: { skip: "the fake agent tells of errors only in the end of a turn" },
    wrongKey: no("model"),
    unknownModel: no("model"),
    rateLimit: no("model"),
    serverError: no("model"),
    lastingRateLimit: no("model"),
    lastingServerError: no("model"),
    cutStream: no("model"),
  },
};
