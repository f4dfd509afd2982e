/** Feared: what runs in a sandbox is root there, or nothing runs at all. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { asUser, prepareUser } from "./as-user.ts";

const isRoot = process.getuid?.() === 0 && run(["setpriv", "--version"]).status === 0;
const asRoot = isRoot ? "" : " (left out: it takes root, and setpriv)";
const command = ["sh", "-c", 'id -u; echo "$1" "$2"', "sh", "a b", "$HOME"];

function run([program = "", ...args]: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", cwd: "/" });
  return { status, stdout, stderr };
}

test.skipIf(!isRoot)(`root becomes the user, with the words as they are${asRoot}`, () => {
  expect(run(asUser(1234, command))).toEqual({ status: 0, stdout: "1234\na b $HOME\n", stderr: "" });
  const capabilities = run(asUser(1234, ["grep", "CapEff", "/proc/self/status"])).stdout;
  expect(capabilities).toMatch(/^CapEff:\s+0+$/m);
});

test.skipIf(!isRoot)(`where root is wished it stays so${asRoot}`, () => {
  expect(run(asUser(0, command)).stdout).toBe("0\na b $HOME\n");
});

test.skipIf(!isRoot)(`who is not root stays who they are${asRoot}`, () => {
  expect(run(asUser(1234, asUser(4321, command))).stdout).toBe("1234\na b $HOME\n");
});

test.skipIf(!isRoot)(`the user is given a directory of their own${asRoot}`, () => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "as-user-")));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const root = join(top, "it's", "there");
  for (const _ of [1, 2]) expect(run(prepareUser(1234, root))).toEqual({ status: 0, stdout: "", stderr: "" });
  expect([statSync(root).uid, statSync(root).gid, statSync(top).uid]).toEqual([1234, 1234, 0]);
});

test("exit codes are those of the command", () => {
  const { uid = 0 } = { uid: process.getuid?.() };
  expect(run(asUser(uid, ["sh", "-c", "exit 7"])).status).toBe(7);
});
