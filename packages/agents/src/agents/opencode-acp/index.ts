import { acpAdapter } from "../../acp/acp-adapter.ts";
import { secondWayCapabilities } from "../../acp/second-way-capabilities.ts";
import { credentials } from "../opencode/credentials.ts";
import { program } from "../opencode/program.ts";
import { untrustedSettings, withoutProjectSettings } from "../opencode/project-settings.ts";
import { askingConfig } from "./asking-config.ts";

/** OpenCode over ACP, which every editor can speak; the agent `opencode` drives its server and can more. */
export const adapter = acpAdapter({
  id: "opencode-acp",
  displayName: "OpenCode (ACP)",
  program,
  credentials,
  args: ["acp"],
  // What reaches for the network unasked is off.
  env: {
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  },
  capabilities: secondWayCapabilities,
  permissionModes: {
    default: { sessionMode: "build" },
    plan: { sessionMode: "plan" },
    acceptEdits: { sessionMode: "build" },
    bypass: { sessionMode: "build" },
  },
  quirks: {
    // Without being told to it asks for nothing. The permission mode then decides what a person is really asked.
    prepare: async ({ env, session }) => ({
      OPENCODE_CONFIG_CONTENT: askingConfig(env.OPENCODE_CONFIG_CONTENT),
      ...(untrustedSettings(session, env).length === 0 ? {} : withoutProjectSettings),
    }),
  },
});
