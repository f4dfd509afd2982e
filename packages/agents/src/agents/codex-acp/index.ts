import { acpAdapter } from "../../acp/acp-adapter.ts";
import { locateProgram } from "../../install/locate-program.ts";
import { credentialsAvailable } from "../codex/credentials.ts";
import { program as codex } from "../codex/program.ts";
import { program } from "./program.ts";

/** Codex over ACP: the adapter that editors use, on the same Codex as the agent `codex`. */
export const adapter = acpAdapter({
  id: "codex-acp",
  displayName: "Codex (ACP)",
  program,
  capabilities: {
    planMode: true,
    permissions: true,
    questions: false,
    toolCalls: true,
    toolResults: true,
    textMessages: true,
    images: false,
    fileAttachments: false,
    sessionLifecycle: true,
    errorEvents: false,
    reasoning: false,
    status: false,
    commandExecution: true,
    fileChanges: false,
    mcpTools: false,
    streamingDeltas: true,
    itemStarted: true,
    sharedProcess: false,
  },
  // Its default mode, `agent`, has a model decide what is allowed.
  permissionModes: {
    default: { sessionMode: "read-only" },
    plan: { sessionMode: "read-only" },
    acceptEdits: { sessionMode: "workspace-write" },
    bypass: { sessionMode: "agent-full-access" },
  },
  quirks: {
    credentialsAvailable,
    async prepare({ host, env }) {
      const located = await locateProgram(codex, { env, installRoot: host.installRoot });
      return located ? { CODEX_PATH: located.path } : {};
    },
  },
});
