import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { tryProcessLock } from "@sandbox-agent-ts/agents/process-identity";
import { fingerprint } from "./fingerprint.mjs";
import { packAll } from "./pack.mjs";
import { inRoot } from "./root.mjs";

const packed = inRoot("node_modules/.cache/packed");
const keptMs = 60 * 60_000;
const lookEveryMs = 100;

/** Tarballs of all packages by name, for tests: whoever asks first packs them, the others wait and have the same. */
export async function packedTarballs(): Promise<Readonly<Record<string, string>>> {
  mkdirSync(packed, { recursive: true });
  const lock = await takeLock();
  try {
    const place = join(packed, fingerprint(sources()).slice(0, 16));
    if (!existsSync(place)) {
      removeOld();
      const unfinished = join(packed, "unfinished");
      await packAll(unfinished);
      renameSync(unfinished, place);
    }
    return Object.fromEntries(readdirSync(place).map((file) => [nameOf(file), join(place, file)]));
  } finally {
    lock.release();
  }
}

async function takeLock(): Promise<{ release(): void }> {
  for (;;) {
    const attempt = tryProcessLock(join(packed, "lock"));
    if ("release" in attempt) return attempt;
    await sleep(lookEveryMs);
  }
}

function sources(): string[] {
  const packages = readdirSync(inRoot("packages")).map((name) => join("packages", name));
  const parts = [...packages, "apps/inspector"].flatMap((folder) =>
    ["package.json", "README.md", "bin", "src", "fake-agent"].map((part) => join(folder, part)),
  );
  return ["package-lock.json", ...parts].map((path) => inRoot(path)).filter((path) => existsSync(path));
}

const nameOf = (file: string) => file.replace(/^sandbox-agent-ts-(.+)-\d+\.\d+\.\d+.*\.tgz$/, "@sandbox-agent-ts/$1");

/** Another run may read what was packed a moment ago. */
function removeOld(): void {
  for (const name of readdirSync(packed)) {
    const path = join(packed, name);
    if (name !== "lock" && Date.now() - statSync(path).mtimeMs > keptMs) rmSync(path, { recursive: true, force: true });
  }
}
