import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

export interface Binary {
  readonly command: string;
  readonly args: readonly string[];
}

const CLI_PACKAGE = "@sandbox-agent-ts/cli";
const CLI_NAME = "sandbox-agent";

/**
 * The program to start: the given one, else SANDBOX_AGENT_BIN, else the executable in the package for this platform, else
 * the CLI package, else whatever PATH has. Packages are looked for in these `node_modules` folders.
 */
export function resolveBinary(
  given: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  folders: () => readonly string[] = packageFolders,
): Binary {
  return runnable(given || env.SANDBOX_AGENT_BIN || findInPackages(folders()) || CLI_NAME);
}

/** A script is run by this very Node, which also works where it is not executable. */
function runnable(file: string): Binary {
  return /\.[cm]?js$/.test(file) ? { command: process.execPath, args: [file] } : { command: file, args: [] };
}

function findInPackages(folders: readonly string[]): string | undefined {
  return firstOf(folders, findExecutable) ?? firstOf(folders, findCli);
}

function firstOf(folders: readonly string[], find: (folder: string) => string | undefined): string | undefined {
  for (const folder of folders) {
    const found = find(folder);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `npm run build:exe -- --packages` makes these packages. */
function findExecutable(folder: string): string | undefined {
  const name = process.platform === "win32" ? `${CLI_NAME}.exe` : CLI_NAME;
  const file = join(folder, `${CLI_PACKAGE}-${process.platform}-${process.arch}`, "bin", name);
  return existsSync(file) ? file : undefined;
}

/** Looked up by folder, not by `require.resolve`, which only finds what a package exports. */
function findCli(folder: string): string | undefined {
  const manifest = join(folder, CLI_PACKAGE, "package.json");
  if (!existsSync(manifest)) return undefined;
  const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin?: string | Record<string, string> };
  const relative = typeof bin === "string" ? bin : bin?.[CLI_NAME];
  const file = relative && join(folder, CLI_PACKAGE, relative);
  return file && existsSync(file) ? file : undefined;
}

/** Every node_modules that this file, or the program being run, would look into. */
function packageFolders(): string[] {
  // Bundled into CommonJS there is no import.meta.url.
  const here = import.meta.url as string | undefined;
  const origins = [...(here ? [here] : []), join(process.cwd(), "package.json")];
  return origins.flatMap((origin) => createRequire(origin).resolve.paths(CLI_PACKAGE) ?? []);
}
