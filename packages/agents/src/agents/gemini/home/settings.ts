import { mergeSettings, type Settings } from "../../../settings/json-settings.ts";
import type { AuthType } from "../credentials.ts";

/**
 * How often the program asks its model again before it tells that something is wrong. By itself it tries ten times,
 * without a word for more than a minute; three times take about fifteen seconds.
 */
export const MAX_ATTEMPTS = 3;

/** What the user has set, and for all else what suits a program that nobody sits before. Pure. */
export function settingsFor(user: Settings, auth: AuthType | undefined): Settings {
  return mergeSettings(ours(auth), user);
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
    // A file `.env` of the directory could set any variable.
    advanced: { ignoreLocalEnv: true },
    // With a pseudo-terminal the protocol does not tell what a command printed.
    tools: { shell: { enableInteractiveShell: false } },
  };
}
