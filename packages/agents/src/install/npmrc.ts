import { readRegularTextSync } from "../files/read-regular-file.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** npm's settings by name, as its files and variables spell them (`registry`, `@scope:registry`, `//host/:_authToken`). */
export type NpmSettings = Readonly<Record<string, string>>;

/** The settings of all files together; the first file that names one wins, and the environment stands above them. */
export function readNpmSettings(files: readonly string[], env: Environment): NpmSettings {
  const layers = files.map((file) => parseNpmrc(readText(file), env)).reverse();
  return Object.assign({}, ...layers, settingsFromEnvironment(env));
}

/** `key = value` lines with `;` and `#` comments; `${NAME}` in them is a variable of the environment. */
export function parseNpmrc(text: string, env: Environment): NpmSettings {
  const settings: Record<string, string> = {};
  for (const line of text.split(/\r?\n/)) {
    const [, key, value] = /^\s*([^;#[\s=][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (key !== undefined) settings[expand(unquote(key), env)] = expand(unquote(value!), env);
  }
  return settings;
}

/** `npm_config_registry`, `NPM_CONFIG_REGISTRY`, `npm_config_@scope:registry`, `npm_config_//host/:_authToken`. */
export function settingsFromEnvironment(env: Environment): NpmSettings {
  const settings: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    const key = /^npm_config_(.+)$/i.exec(name)?.[1];
    if (key === undefined || !value) continue;
    settings[/^(@|\/\/)/.test(key) ? key : key.toLowerCase().replaceAll("_", "-")] = value;
  }
  return settings;
}

function unquote(text: string): string {
  return (
    /^"(.*)"$|^'(.*)'$/
      .exec(text)
      ?.slice(1)
      .find((inner) => inner !== undefined) ?? text
  );
}

/** A variable that is not set stays as it is written, or with `${NAME?}` becomes nothing: as npm does it. */
function expand(text: string, env: Environment): string {
  return text.replace(/\$\{([^${}?]+)(\?)?\}/g, (written, name: string, optional) => {
    return env[name] ?? (optional === undefined ? written : "");
  });
}

function readText(file: string): string {
  try {
    return readRegularTextSync(file);
  } catch {
    return "";
  }
}
