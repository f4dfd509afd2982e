/** Feared: repeating what failed hides a real failure, or loses tests from the count. */
import { afterEach, expect, test, vi } from "vitest";
import { runTests } from "./run-tests.mjs";

afterEach(() => vi.restoreAllMocks());

const good = { passed: 3, failed: 0, skipped: 1 };
const bad = { passed: 2, failed: 1, skipped: 0 };

/** Run with these results, one after the other; answers the outcome, what was asked for and what was printed. */
async function runWith(args: string[], ...results: { code: number; tally: object }[]) {
  const asked: string[][] = [];
  const print = vi.spyOn(console, "log").mockImplementation(() => {});
  const outcome = await runTests(args, async (wanted) => {
    asked.push(wanted);
    return results[asked.length - 1]!;
  });
  return { ...outcome, asked, printed: print.mock.calls.flat().join("\n") };
}

const firstRun = { code: 1, tally: { passed: 5, failed: 1, skipped: 1, files: { "/a": good, "/b": bad } } };

test("a file that failed is run once more alone, and is named when it passes then", async () => {
  const second = { code: 0, tally: { passed: 3, failed: 0, skipped: 0, files: { "/b": { ...good, skipped: 0 } } } };
  const { code, tally, asked, printed } = await runWith([], firstRun, second);
  expect(asked[1]).toEqual(["/b", "--no-file-parallelism"]);
  expect({ code, tally }).toEqual({ code: 0, tally: { passed: 6, failed: 0, skipped: 1, unsteady: 1 } });
  expect(printed).toMatch(/Unsteady: \S*b failed beside others/);
});

test("a file that fails again has failed", async () => {
  const { code, tally, printed } = await runWith([], firstRun, { code: 1, tally: { ...bad, files: { "/b": bad } } });
  expect({ code, tally }).toMatchObject({ code: 1, tally: { passed: 5, failed: 1, skipped: 1 } });
  expect(printed).not.toContain("Unsteady");
});

test.each([
  ["a part of the tests was asked for", ["packages/store"], firstRun],
  ["an error belongs to no file", [], { ...firstRun, tally: { ...firstRun.tally, failed: 2 } }],
  ["the run never began", [], { code: 1, tally: { passed: 0, failed: 1, skipped: 0 } }],
  [
    "many failed",
    [],
    { code: 1, tally: { ...sixTimes(bad), files: Object.fromEntries([..."123456"].map((n) => [n, bad])) } },
  ],
])("nothing is repeated when %s", async (_, args, first) => {
  const { asked, code } = await runWith(args, first);
  expect(asked).toHaveLength(1);
  expect(code).toBe(1);
});

function sixTimes({ passed, failed, skipped }: typeof bad) {
  return { passed: 6 * passed, failed: 6 * failed, skipped: 6 * skipped };
}
