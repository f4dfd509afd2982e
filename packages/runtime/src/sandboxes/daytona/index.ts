import type { ProviderDescription } from "../registry.ts";
import { createDaytonaProvider } from "./daytona-provider.ts";
import { daytonaSettings, readDaytonaSettings } from "./daytona-settings.ts";

export const provider: ProviderDescription = {
  name: "daytona",
  summary: "Sandboxes at Daytona: containers that are stopped when idle and keep their disk.",
  settings: daytonaSettings,
  async create({ directory, settings }) {
    return createDaytonaProvider({ directory, ...readDaytonaSettings(settings) });
  },
};
