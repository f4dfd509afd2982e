import type { ProviderDescription } from "../registry.ts";
import { createModalProvider } from "./modal-provider.ts";
import { modalSettings, readModalSettings } from "./modal-settings.ts";

export const provider: ProviderDescription = {
  name: "modal",
  summary: "Sandboxes at Modal: containers under gVisor, which live for at most a day.",
  settings: modalSettings,
  async create({ directory, settings }) {
    return createModalProvider({ directory, ...readModalSettings(settings) });
  },
};
