import { acpAdapter } from "../../acp/acp-adapter.ts";
import { secondWayCapabilities } from "../../acp/second-way-capabilities.ts";
import { locateProgram } from "../../install/locate-program.ts";
import { credentials } from "../claude/credentials.ts";
import { program as claude } from "../claude/program.ts";
import { program } from "./program.ts";

/** Claude Code over ACP: the adapter that editors use, on the same Claude Code as the agent `claude`. */
export const adapter = acpAdapter({
  id: "claude-acp",
  displayName: "Claude Code (ACP)",
  program,
  credentials,
  capabilities: secondWayCapabilities,
  permissionModes: {
    default: { sessionMode: "default" },
    plan: { sessionMode: "plan" },
    acceptEdits: { sessionMode: "acceptEdits" },
    // The mode of its own for that is not offered to root; what it asks is answered here.
    bypass: { sessionMode: "default" },
  },
  quirks: {
    async prepare({ host, env }) {
      const located = await locateProgram(claude, { env, installRoot: host.installRoot });
      return located ? { CLAUDE_CODE_EXECUTABLE: located.path } : {};
    },
    describeTool: ({ _meta }) => {
      const { toolName } = (_meta?.claudeCode ?? {}) as { toolName?: unknown };
      return typeof toolName === "string" ? { name: toolName } : {};
    },
    // Messages of a Claude Code that is newer than it.
    isNoise: (line) => line.startsWith("Unexpected case: "),
  },
});
