import { acpAdapter } from "../../acp/acp-adapter.ts";
import { secondWayCapabilities } from "../../acp/second-way-capabilities.ts";
import { locateProgram } from "../../install/locate-program.ts";
import { credentials } from "../codex/credentials.ts";
import { program as codex } from "../codex/program.ts";
import { program } from "./program.ts";

/** Codex over ACP: the adapter that editors use, on the same Codex as the agent `codex`. */
export const adapter = acpAdapter({
  id: "codex-acp",
  displayName: "Codex (ACP)",
  program,
  credentials,
  capabilities: secondWayCapabilities,
  // Its default mode, `agent`, has a model decide what is allowed.
  permissionModes: {
    default: { sessionMode: "read-only" },
    plan: { sessionMode: "read-only" },
    acceptEdits: { sessionMode: "workspace-write" },
    bypass: { sessionMode: "agent-full-access" },
  },
  quirks: {
    async prepare({ host, env }) {
      const located = await locateProgram(codex, { env, installRoot: host.installRoot });
      return located ? { CODEX_PATH: located.path } : {};
    },
  },
});
