import { access, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { AcpPlace } from "../../acp/acp-agent.ts";
import type { DirectoryFiles } from "../../acp/directory-trust.ts";
import { readRegularText } from "../../files/read-regular-file.ts";
import { grantingSettingsIn } from "../../settings/granting-settings.ts";
import { isTrustedFolder } from "../../settings/trusted-folders.ts";
import { foldersAround } from "./dot-env.ts";
import { qwenDirectory } from "./qwen-directory.ts";

/** What settings of a directory may say without granting anything. */
const harmless = new Set([
  "$schema",
  "$version",
  "output",
  "privacy",
  "ui.theme",
  "ui.hideTips",
  "ui.hideBanner",
  "general.language",
  "general.outputLanguage",
  "general.vimMode",
  "general.gitCoAuthor",
  "model.name",
  "model.maxSessionTurns",
  "context.fileName",
  "context.importFormat",
  "context.fileFiltering",
  "slashCommands",
  "permissions.ask",
  "permissions.deny",
  "tools.core",
  "tools.exclude",
  "tools.useRipgrep",
  "tools.truncateToolOutputThreshold",
  "tools.truncateToolOutputLines",
  "mcp.excluded",
  "disableAllHooks",
]);

/** By what a subagent or a skill has a mode, commands or servers of its own. */
const granting = ["approvalMode", "permissionMode", "hooks", "mcpServers"];

/** Qwen Code's own rule for directories that are not trusted: nothing of their settings is taken. */
export const directoryFiles: DirectoryFiles = {
  agent: { id: "qwen", displayName: "Qwen Code" },
  howToTrust: "To trust it, run qwen there and choose so with /permissions.",
  isTrusted({ env, session }) {
    const file = env.QWEN_CODE_TRUSTED_FOLDERS_PATH || join(qwenDirectory(env), "trustedFolders.json");
    return isTrustedFolder(file, session.directory);
  },
  async asks(place) {
    const { directory } = place.session;
    const asked = await grantingSettingsIn(join(directory, ".qwen", "settings.json"), harmless);
    const skills = await Promise.all([".qwen", ".agents"].map((name) => entries(join(directory, name, "skills"))));
    const agents = await entries(join(directory, ".qwen", "agents"));
    const files = [...skills.flat().map((folder) => join(folder, "SKILL.md")), ...agents];
    const words = await Promise.all(files.map(grantingWords));
    return [...asked, ...words.flat(), ...(await environmentFiles(place))];
  },
};

/** Of these, unlike of others, no variable can be left out. */
async function environmentFiles(place: AcpPlace): Promise<string[]> {
  const files = foldersAround(place).map((folder) => join(folder, ".qwen", ".env"));
  const found = await Promise.all(
    files.map((file) =>
      access(file).then(
        () => [`the variables in ${file}`],
        () => [],
      ),
    ),
  );
  return found.flat();
}

async function entries(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
}

async function grantingWords(file: string): Promise<string[]> {
  const text = await readRegularText(file).catch(() => "");
  return granting.filter((word) => text.includes(word)).map((word) => `${word} in ${file}`);
}
