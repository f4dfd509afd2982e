/** Feared: a crash loop that says it held although nothing of what was asked for was run. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { inRoot } from "./root.mjs";

const run = promisify(execFile);

test.each([
  [["--provider", "e2bb"], "--provider is one of all, cloudflare, "],
  [["--help"], "There are --rounds N, --seed N, --provider NAME and --sandboxes N."],
])("%j is refused with what there is", async (args, sentence) => {
  const failure: unknown = await run(process.execPath, [inRoot("scripts/crash.mjs"), ...args]).catch((error) => error);
  expect(failure).toMatchObject({ code: 1, stderr: expect.stringContaining(sentence) });
  expect(failure).toMatchObject({ stderr: expect.not.stringContaining("at parseArgs") });
});
