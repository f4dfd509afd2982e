import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A home directory with these files in it, JSON unless they are text; gone with the test. */
export function madeHome(files: Readonly<Record<string, unknown>> = {}): string {
  const home = mkdtempSync(join(tmpdir(), "made-home-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  }
  return home;
}
