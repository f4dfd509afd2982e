import { readRegularText } from "../files/read-regular-file.ts";

/** What stands in a settings file of an agent. */
export type Settings = Readonly<Record<string, unknown>>;

/** What does not end ends with the file, so that no place is looked at twice, whatever the file is. */
const stringsAndComments = /("(?:[^"\\]+|\\[\s\S]?)*(?:"|$))|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** Agents take comments in their settings. Throws what `JSON.parse` throws. Pure. */
export function parseSettings(text: string): Settings {
  const plain = text.replace(stringsAndComments, (_, quoted: string | undefined) => quoted ?? "");
  const value: unknown = plain.trim() === "" ? {} : JSON.parse(plain);
  return isSettings(value) ? value : {};
}

/** Nothing where there is no such file, or one that cannot be read. */
export async function readSettings(path: string): Promise<Settings> {
  try {
    return parseSettings(await readRegularText(path));
  } catch {
    return {};
  }
}

/** What is set in both counts as `over` has it. Pure. */
export function mergeSettings(under: Settings, over: Settings): Settings {
  const both = Object.entries(over).map(([name, value]) => {
    const below = under[name];
    return [name, isSettings(below) && isSettings(value) ? mergeSettings(below, value) : value];
  });
  return { ...under, ...Object.fromEntries(both) };
}

export function settingsIn(settings: Settings, name: string): Settings {
  const inner = settings[name];
  return isSettings(inner) ? inner : {};
}

export function isSettings(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
