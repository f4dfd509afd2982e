import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runChecks } from "./checks.mjs";
import { inRoot } from "./root.mjs";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(inRoot("node_modules/.checks-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function check(name: string, text: string): string[] {
  writeFileSync(join(folder, `${name}.mjs`), text);
  return [name, join(relative(inRoot(), folder), `${name}.mjs`), "argument"];
}

async function run(chains: string[][][]): Promise<{ lines: string[]; passed: number; failed: string[] }> {
  const lines: string[] = [];
  const result = await runChecks(chains, { workers: 2, print: (line: string) => lines.push(line) });
  return { lines: lines.map((line) => line.replace(/\([\d.]+ s\)/, "(time)")), ...result };
}

describe("the static checks", () => {
  it("all run when one fails, and only the one that failed says why", async () => {
    const { lines, passed, failed } = await run([
      [check("broken", "console.log('out'); console.error(process.argv[2]); process.exitCode = 3;")],
      [check("whole", "console.log('nobody needs this');")],
      [check("last", "")],
    ]);
    expect(failed).toEqual(["broken"]);
    expect(passed).toBe(2);
    expect(lines.toSorted()).toEqual(["✓ last (time)", "✓ whole (time)", "✕ broken (time)\nout\nargument"]);
  });

  it("of one chain run in order", async () => {
    const made = join(folder, "made");
    const { failed, lines } = await run([
      [
        check("maker", `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(made)}, "");`),
        check("reader", `import { readFileSync } from "node:fs"; readFileSync(${JSON.stringify(made)});`),
      ],
    ]);
    expect(failed).toEqual([]);
    expect(lines).toEqual(["✓ maker (time)", "✓ reader (time)"]);
  });
});
