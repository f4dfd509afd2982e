import type { ProviderDescription } from "../registry.ts";
import { createDockerProvider } from "./docker-provider.ts";
import { dockerSettings, readDockerSettings } from "./docker-settings.ts";

export const provider: ProviderDescription = {
  name: "docker",
  summary: "Containers of a Docker engine on this machine.",
  settings: dockerSettings,
  async create({ directory, settings }) {
    return createDockerProvider({ directory, ...readDockerSettings(settings) });
  },
};
