import type { AuthType } from "../credentials.ts";

type Settings = Readonly<Record<string, unknown>>;

/**
 * How often the program asks its model again before it tells that something is wrong. By itself it tries ten times,
 * without a word for more than a minute; three times take about fifteen seconds.
 */
export const MAX_ATTEMPTS = 3;

/** What the user has set, and for all else what suits a program that nobody sits before. Pure. */
export function settingsFor(user: Settings, auth: AuthType | undefined): Settings {
  return merged(ours(auth), user);
}

function ours(auth: AuthType | undefined): Settings {
  return {
    ...(auth === undefined ? {} : { security: { auth: { selectedType: auth } } }),
    privacy: { usageStatisticsEnabled: false },
    general: {
      enableAutoUpdate: false,
      enableAutoUpdateNotification: false,
      maxAttempts: MAX_ATTEMPTS,
      // A conversation may be taken up again however old it is.
      sessionRetention: { enabled: false },
    },
    // With a pseudo-terminal the protocol does not tell what a command printed.
    tools: { shell: { enableInteractiveShell: false } },
  };
}

function merged(under: Settings, over: Settings): Settings {
  const both = Object.entries(over).map(([name, value]) => {
    const below = under[name];
    return [name, isSettings(below) && isSettings(value) ? merged(below, value) : value];
  });
  return { ...under, ...Object.fromEntries(both) };
}

function isSettings(value: unknown): value is Settings {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The program takes comments in its settings. Throws what `JSON.parse` throws. Pure. */
export function parseSettings(text: string): Settings {
  const plain = text.replace(
    /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (_, quoted: string | undefined) => quoted ?? "",
  );
  const value: unknown = plain.trim() === "" ? {} : JSON.parse(plain);
  return isSettings(value) ? value : {};
}
