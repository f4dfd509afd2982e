/** Feared: a key that is not the one its vendor signs with, so that no release is believed or a wrong one is. */
import { createPublicKey } from "node:crypto";
import { createReadStream } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { cacheDirectory } from "../../install/cache-directory.ts";
import { requireProgram } from "../../install/locate-program.ts";
import { programProblem } from "./__fixtures__/program-problem.ts";
import { program } from "./program.ts";
import { releases } from "./releases.ts";

const reason = programProblem === undefined ? "" : ` (skipped: ${programProblem})`;
const { checksum } = releases.hosts[0];
const publicKey = checksum.kind === "manifest" ? checksum.signature!.publicKey : "";

test.skipIf(programProblem)(`the program has the key of its releases in it${reason}`, async () => {
  expect(createPublicKey(publicKey).asymmetricKeyDetails?.modulusLength).toBe(4096);
  const place = { env: { HOME: homedir() }, installRoot: join(cacheDirectory(process.env), "programs") };
  const { path } = await requireProgram(program, place);
  expect(await contains(path, Buffer.from(publicKey))).toBe(true);
});

async function contains(path: string, wanted: Buffer): Promise<boolean> {
  let end = Buffer.alloc(0);
  for await (const piece of createReadStream(path, { highWaterMark: 4 * 1024 * 1024 }) as AsyncIterable<Buffer>) {
    const seen = Buffer.concat([end, piece]);
    if (seen.includes(wanted)) return true;
    end = seen.subarray(-wanted.length);
  }
  return false;
}
