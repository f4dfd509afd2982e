import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startVitest } from "vitest/node";
import { closingLine, tallyOf } from "./closing-line-reporter.mjs";
import { inRoot } from "./root.mjs";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(inRoot("node_modules/.closing-line-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Run a real vitest on one file and count what it reports. */
async function tally(name: string, text: string): Promise<string> {
  writeFileSync(join(folder, `${name}.test.js`), `import { describe, expect, it } from "vitest";\n${text}`);
  let line = "";
  const reporter = {
    onTestRunEnd: (modules: Parameters<typeof tallyOf>[0], errors: Parameters<typeof tallyOf>[1]) => {
      line = closingLine(tallyOf(modules, errors));
    },
  };
  const exitCode = process.exitCode;
  const options = { root: folder, config: false as const, watch: false, reporters: [reporter] };
  const vitest = await startVitest("test", [`${name}.test.js`], options);
  await vitest.close();
  process.exitCode = exitCode;
  return line;
}

describe("the closing line", () => {
  it("counts what passed, and names what was skipped only if there is any", async () => {
    expect(await tally("passes", 'it("a", () => {}); it("b", () => {});')).toBe("2 passed, 0 failed");
    expect(await tally("skips", 'it("a", () => {}); it.skip("b", () => {});')).toBe("1 passed, 0 failed, 1 skipped");
  });

  it("counts what failed", async () => {
    expect(await tally("fails", 'it("a", () => expect(1).toBe(2)); it("b", () => {});')).toBe("1 passed, 1 failed");
  });

  it("counts a file that cannot be loaded", async () => {
    expect(await tally("broken", "throw new Error('no');")).toBe("0 passed, 1 failed");
  });

  it("counts an error outside of any test", async () => {
    const text = 'it("a", () => {}); Promise.reject(new Error("nobody waits for me"));';
    expect(await tally("unhandled", text)).toBe("1 passed, 1 failed");
  });
});
