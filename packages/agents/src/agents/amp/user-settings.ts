import { dirname, join } from "node:path";
import { readRegularText } from "../../files/read-regular-file.ts";
import { isRecord, parsed } from "./convert/json.ts";

type Env = Readonly<Record<string, string | undefined>>;
const LONGEST_SETTINGS = 1024 * 1024;

export type Settings = Readonly<Record<string, unknown>>;

/** The user's own settings, which ours are laid over; empty where there are none. */
export async function readUserSettings(env: Env): Promise<Settings> {
  const configHome = env.XDG_CONFIG_HOME ?? (env.HOME ? join(env.HOME, ".config") : undefined);
  const folder = configHome === undefined ? [] : [join(configHome, "amp", "settings.json")];
  return readFirst(env.AMP_SETTINGS_FILE ? [env.AMP_SETTINGS_FILE] : folder);
}

/** Those of the directory, which Amp puts above every other: the nearest file, upwards to the root of the repository. */
export async function readWorkspaceSettings(directory: string): Promise<Settings> {
  for (let folder = directory; ; folder = dirname(folder)) {
    const settings = await readFirst([join(folder, ".amp", "settings.json")]);
    const isRoot =
      folder === dirname(folder) || (await readRegularText(join(folder, ".git", "HEAD")).catch(() => undefined));
    if (Object.keys(settings).length > 0 || isRoot) return settings;
  }
}

/** Amp takes `settings.jsonc` for `settings.json`. */
async function readFirst(paths: readonly string[]): Promise<Settings> {
  for (const path of paths.flatMap((name) => [name, `${name}c`])) {
    const text = await readRegularText(path, LONGEST_SETTINGS).catch(() => undefined);
    const settings = text === undefined ? undefined : parsed(withoutComments(text));
    if (isRecord(settings)) return settings;
  }
  return {};
}

/** What does not end ends with the file, so that no place is looked at twice, whatever the file is. */
const commentsAndStrings = /"(?:[^"\\]+|\\[\s\S]?)*(?:"|$)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const trailingCommas = /"(?:[^"\\]+|\\[\s\S]?)*(?:"|$)|,(?=\s*[\]}])/g;

/** JSON as people write it in settings. */
export function withoutComments(text: string): string {
  const keepStrings = (found: string): string => (found.startsWith('"') ? found : "");
  return text.replaceAll(commentsAndStrings, keepStrings).replaceAll(trailingCommas, keepStrings);
}
