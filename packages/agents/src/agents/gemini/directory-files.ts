import { access } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AcpPlace } from "../../acp/acp-agent.ts";
import type { DirectoryFiles } from "../../acp/directory-trust.ts";
import { grantingSettingsIn } from "../../settings/granting-settings.ts";
import { isTrustedFolder } from "../../settings/trusted-folders.ts";
import { geminiDirectory, userHome } from "./home/gemini-directory.ts";

/** What settings of a directory may say without granting anything. */
const harmless = new Set([
  "$schema",
  "ui",
  "output",
  "privacy",
  "model",
  "useWriteTodos",
  "context.fileName",
  "context.importFormat",
  "context.includeDirectoryTree",
  "context.discoveryMaxDirs",
  "context.fileFiltering",
  "tools.core",
  "tools.exclude",
  "tools.confirmationRequired",
  "tools.useRipgrep",
  "tools.truncateToolOutputThreshold",
  "mcp.excluded",
  "skills.enabled",
  "skills.disabled",
  "extensions.disabled",
  "hooksConfig",
  "security.disableYoloMode",
  "security.disableAlwaysAllow",
]);

/** Gemini CLI's own rule for directories that are not trusted: nothing of their settings is taken. */
export const directoryFiles: DirectoryFiles = {
  agent: { id: "gemini", displayName: "Gemini CLI" },
  howToTrust: "To trust it, run gemini there and choose so with /permissions.",
  async isTrusted({ env, host, session }) {
    if ({ ...host.env, ...session.env }.GEMINI_CLI_TRUST_WORKSPACE === "true") return true;
    const file = env.GEMINI_CLI_TRUSTED_FOLDERS_PATH || join(geminiDirectory(env), "trustedFolders.json");
    return isTrustedFolder(file, session.directory);
  },
  async asks(place) {
    const settings = join(place.session.directory, ".gemini", "settings.json");
    return [...(await grantingSettingsIn(settings, harmless)), ...(await environmentFile(place))];
  },
};

/** The nearest of the directory and those above it, which may set any variable of the program and its commands. */
async function environmentFile({ env, session }: AcpPlace): Promise<string[]> {
  for (let folder = session.directory; folder !== userHome(env); folder = dirname(folder)) {
    const file = join(folder, ".gemini", ".env");
    const isThere = await access(file).then(
      () => true,
      () => false,
    );
    if (isThere) return [`the variables in ${file}`];
    if (folder === dirname(folder)) break;
  }
  return [];
}
