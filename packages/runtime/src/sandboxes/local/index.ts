import { join } from "node:path";
import type { ProviderDescription } from "../registry.ts";
import { SandboxProviderError } from "../sandbox-provider.ts";
import { createLocalProvider, type LocalProviderOptions } from "./local-provider.ts";

const isolations: readonly unknown[] = ["auto", "bubblewrap", "none"];

export const provider: ProviderDescription = {
  name: "local",
  summary: "Processes on this machine, kept apart by bubblewrap where it is installed.",
  settings: {
    root: "directory for the folders of sandboxes (default: sandboxes in the runtime's data directory)",
    isolation: "auto, bubblewrap or none (default: auto)",
    bubblewrap: "the program (default: bwrap on the PATH)",
    controlGroups: "auto or none (default: auto, which limits memory and processes where the machine lets it)",
  },
  async create({ directory, settings }) {
    const { root = join(directory, "sandboxes"), isolation = "auto", bubblewrap, controlGroups = "auto" } = settings;
    const isText = (value: unknown) => value === undefined || typeof value === "string";
    const isRight = isText(root) && isText(bubblewrap) && isolations.includes(isolation);
    if (!isRight || !["auto", "none"].includes(controlGroups as string)) {
      const detail =
        "root and bubblewrap are paths; isolation is auto, bubblewrap or none; controlGroups is auto or none";
      throw new SandboxProviderError("failed", `The settings of the provider local are not right: ${detail}.`);
    }
    return createLocalProvider({ root, isolation, bubblewrap, controlGroups } as LocalProviderOptions);
  },
};
