import { existsSync } from "node:fs";
import { join } from "node:path";
import { isSea } from "node:sea";
import {
  builtInProviders,
  openProvider,
  openSqliteStore,
  type RuntimeStore,
  type SandboxProvider,
} from "@sandbox-agent-ts/runtime";
import type { Environment } from "../data-dir.ts";
import { unpackBundle } from "../executable/unpack-bundle.ts";
import { UsageError } from "../usage-error.ts";
import { type RuntimeSettings, runtimeSettings } from "./runtime-settings.ts";

/** `isGuest`: beside a runtime that runs on the same file. */
export function openStore({ storeFile }: RuntimeSettings, isGuest: boolean): Promise<RuntimeStore> {
  return openSqliteStore(storeFile, { isGuest });
}

export function openSandboxes({ provider, providerSettings, directory }: RuntimeSettings): Promise<SandboxProvider> {
  return openProvider(provider, { directory, settings: providerSettings });
}

/** What made sandboxes when this store had a runtime with another provider, opened as without a configuration. */
export async function openFormerSandboxes(
  store: RuntimeStore,
  { provider, directory }: RuntimeSettings,
  env: Environment,
): Promise<SandboxProvider[]> {
  const open = (name: string) =>
    openProvider(name, { directory, settings: runtimeSettings({ provider: name }, env).providerSettings });
  const rows = await store.sandboxes();
  const names = new Set(rows.flatMap((row) => (row.state === "ended" ? [] : [row.provider])));
  return Promise.all(builtInProviders.filter((name) => name !== provider && names.has(name)).map(open));
}

export interface OwnProgram {
  /** The directory of the CLI's bundle, whose file becomes the daemon of every sandbox. */
  readonly bundle: string;
  /** What is started for a daemon outside of sandboxes, where that is not the bundle. */
  readonly daemonProgram?: string;
}

/** What this process runs. The single executable has its bundle inside and unpacks it. */
export function ownProgram({ directory }: Pick<RuntimeSettings, "directory">): OwnProgram {
  if (isSea()) return { bundle: unpackBundle(join(directory, "bundle")), daemonProgram: process.execPath };
  const found = [__dirname, join(__dirname, "..")].find((place) => existsSync(join(place, "sandbox-agent.cjs")));
  if (found) return { bundle: found };
  throw new UsageError(
    "The bundle of the command line is not where it should be. Install @sandbox-agent-ts/cli again.",
  );
}
