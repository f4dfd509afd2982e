import { readRegularText } from "../files/read-regular-file.ts";
import { parseSettings, type Settings } from "./json-settings.ts";

/**
 * What a settings file has besides what is known to be harmless, as names like `tools.allowed`. Whatever is unknown is not
 * harmless. `harmless` has names of settings, or of groups of them. Pure.
 */
export function grantingSettings(settings: Settings, harmless: ReadonlySet<string>): string[] {
  return Object.entries(settings).flatMap(([group, value]) => {
    if (harmless.has(group)) return [];
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [group];
    return Object.keys(value)
      .map((name) => `${group}.${name}`)
      .filter((name) => !harmless.has(name));
  });
}

/** The same of a file. What cannot be read, but perhaps by the agent, is not harmless. */
export async function grantingSettingsIn(path: string, harmless: ReadonlySet<string>): Promise<string[]> {
  try {
    return grantingSettings(parseSettings(await readRegularText(path)), harmless);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? [] : [`what is in ${path}`];
  }
}
