import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type UploadPart, uploadArchive } from "./upload-archive.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "upload-archive-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Parts to upload, and where what is packed of them is kept. */
function world() {
  const top = folder();
  const bundle = join(top, "bundle");
  mkdirSync(join(bundle, "ui"), { recursive: true });
  writeFileSync(join(bundle, "agent.cjs"), "1");
  writeFileSync(join(bundle, "ui", "page.html"), "2");
  writeFileSync(join(top, "program"), "#!/bin/sh\necho ran\n");
  chmodSync(join(top, "program"), 0o700);
  const parts: UploadPart[] = [
    { name: "bundle", from: bundle, without: ["ui"] },
    { name: "node/node", from: join(top, "program") },
  ];
  return { top, parts, kept: join(top, "kept") };
}

test("has directories and programs under their names, for tar and gzip of any machine", async () => {
  const { parts, kept } = world();
  const unpacked = folder();
  execFileSync("tar", ["-xzf", "-"], { cwd: unpacked, input: await uploadArchive(parts, kept) });
  expect(readdirSync(join(unpacked, "bundle"))).toEqual(["agent.cjs"]);
  expect(readFileSync(join(unpacked, "bundle/agent.cjs"), "utf8")).toBe("1");
  expect(execFileSync(join(unpacked, "node/node")).toString()).toBe("ran\n");
});

test("is packed once for the same contents, also by several at a time, and again for others", async () => {
  const { parts, kept, top } = world();
  const [first, second] = await Promise.all([uploadArchive(parts, kept), uploadArchive(parts, kept)]);
  expect(Buffer.from(first!).equals(second!)).toBe(true);
  const [name = ""] = readdirSync(kept);
  expect(readdirSync(kept)).toHaveLength(1);
  expect(statSync(join(kept, name)).mode & 0o077).toBe(0);
  writeFileSync(join(top, "bundle", "agent.cjs"), "another one");
  await uploadArchive(parts, kept);
  expect(readdirSync(kept)).toHaveLength(2);
});

test("old ones do not pile up", async () => {
  const { parts, kept, top } = world();
  for (let version = 0; version < 6; version += 1) {
    writeFileSync(join(top, "program"), "x".repeat(version));
    await uploadArchive(parts, kept);
    for (const name of readdirSync(kept)) utimesSync(join(kept, name), version, version);
  }
  expect(readdirSync(kept)).toHaveLength(3);
});
