// What runs in a box does so as in a machine of its own: input, output and ends arrive whole, and nothing gets out.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventually, shell, testBoxes, withoutBoxes } from "./__fixtures__/test-boxes.ts";

describe.skipIf(withoutBoxes)(`processes of a box${withoutBoxes}`, () => {
  const boxes = testBoxes();

  it("have their output, errors and exit code told apart", async () => {
    const box = await boxes.create();
    const outcome = await box.run(["sh", "-c", "echo out; echo err >&2; exit 7"]);
    expect(outcome).toEqual({ code: 7, stdout: "out\n", stderr: "err\n" });
  });

  it("are given their input, whole or piece by piece", async () => {
    const box = await boxes.create();
    const large = "0123456789".repeat(200_000);
    expect((await box.run(["cat"], { input: large })).stdout).toBe(large);
    const process = await box.exec(["cat"]);
    process.writeStdin("one ");
    process.writeStdin(Buffer.from("two"));
    process.closeStdin();
    const chunks: Buffer[] = [];
    for await (const chunk of process.stdout) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe("one two");
  });

  it("are held up while nobody reads them, and lose nothing", async () => {
    const box = await boxes.create();
    const process = await box.exec(["head", "-c", "20000000", "/dev/zero"]);
    const { pid } = process;
    // Asleep, because the pipe is full.
    await eventually(async () => expect(await shell(box, `cut -d ' ' -f 3 /proc/${pid}/stat`)).toBe("S"));
    let bytes = 0;
    for await (const chunk of process.stdout) bytes += chunk.length;
    expect(bytes).toBe(20_000_000);
    expect(await process.exited).toEqual({ code: 0, signal: null });
  });

  it("end for who has read enough of them", async () => {
    const box = await boxes.create();
    const process = await box.exec(["sh", "-c", "head -c 20000000 /dev/zero; exit 3"]);
    for await (const _ of process.stdout) break;
    expect(await process.exited).toEqual({ code: 3, signal: null });
  });

  it("get signals, alone or with their children", async () => {
    const box = await boxes.create();
    const polite = await box.exec(["sh", "-c", "trap 'exit 5' TERM; echo ready; while :; do sleep 0.01; done"]);
    for await (const _ of polite.stdout) break;
    polite.kill();
    expect(await polite.exited).toEqual({ code: 5, signal: null });
    const family = await box.exec(["sh", "-c", "sleep 1000 & echo ready; wait"]);
    for await (const _ of family.stdout) break;
    family.kill("SIGKILL", true);
    expect(await family.exited).toEqual({ code: null, signal: "SIGKILL" });
    await eventually(() => expect(box.processes().filter(({ command }) => command.includes("sleep"))).toEqual([]));
    expect((await box.run(["sh", "-c", "kill -TERM $$"])).code).toBe(128 + 15);
  });

  it("go on without anybody when they are detached, and take no place in what waits", async () => {
    const box = await boxes.create();
    const { exited, pid } = await box.exec(["sh", "-c", "echo nobody hears it; sleep 1000"], { detached: true });
    expect(await shell(box, `cat /proc/${pid}/cmdline | tr '\\0' ' '`)).toContain("sleep 1000");
    await box.stop();
    expect(await exited).toEqual({ code: null, signal: "SIGKILL" });
  });

  it("have the environment of the box and their own, and none of this machine", async () => {
    process.env.BOX_TEST_SECRET = "of this machine";
    onTestFinished(() => void delete process.env.BOX_TEST_SECRET);
    const box = await boxes.create({ env: { OF_BOX: "1", BOTH: "box" } });
    const { stdout } = await box.run(["env"], { env: { BOTH: "own" }, cwd: "/tmp" });
    const names = stdout.trim().split("\n").sort();
    expect(names).toEqual([
      "BOTH=own",
      "HOME=/home/user",
      "LOGNAME=user",
      "OF_BOX=1",
      expect.stringMatching(/^PATH=.*\/usr\/bin/),
      "USER=user",
    ]);
    expect((await box.run(["pwd"], { cwd: "/tmp" })).stdout).toBe("/tmp\n");
    expect(await shell(box, "tr '\\0' '\\n' </proc/1/environ; tr '\\0' '\\n' </proc/2/environ")).not.toContain(
      "OF_BOX",
    );
  });

  it("have Node, git and tar, and see only themselves", async () => {
    const box = await boxes.create();
    expect(await shell(box, "node -p 1+1 && git --version && tar --version | head -1")).toMatch(/^2\ngit .*\ntar /);
    const found = await shell(box, "ls -d /proc/[0-9]* | wc -l");
    expect(Number(found)).toBeLessThan(7);
    expect(await shell(box, "ls /home /root")).toBe("/home:\nuser\n\n/root:");
  });

  it("are a user's, who may write at home and to what is said to be writable, or root's", async () => {
    const box = await boxes.create({ user: "dev", home: "/home/dev", writable: ["/data/volume"] });
    const script = "id -un; id -u; for d in ~ /tmp /data/volume /data /etc /opt /usr /; do test -w $d && echo $d; done";
    expect(await shell(box, script)).toBe("dev\n1000\n/home/dev\n/tmp\n/data/volume");
    const root = await boxes.create({ uid: 0, home: "/root" });
    expect(await shell(root, script)).toBe("root\n0\n/root\n/tmp\n/etc\n/opt\n/");
    expect(await shell(root, "chown 0:0 /opt && mount -o remount,rw /usr")).toMatch(/^mount: .*(denied|superuser)/);
  });

  it("do not have the programs that the box is to be without, also for programs that look", async () => {
    const box = await boxes.create({ without: ["node"] });
    expect((await box.run(["sh", "-c", "command -v node || node --version"])).code).toBe(127);
    await expect(box.exec(["node", "--version"])).rejects.toMatchObject({ code: "ENOENT" });
    expect(await shell(box, "git --version; echo a | awk '{print $1}'")).toMatch(/^git .*\na$/);
  });

  it("see directories of this machine, read-only", async () => {
    const folder = mkdtempSync(join(tmpdir(), "box-mount-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, "sub"));
    writeFileSync(join(folder, "sub/file"), "from here");
    const box = await boxes.create({ mounts: { "/opt/template": folder } });
    expect(await shell(box, "cat /opt/template/sub/file")).toBe("from here");
    expect(await shell(box, "touch /opt/template/new")).toContain("Read-only file system");
  });

  it("are refused with the reason", async () => {
    const box = await boxes.create();
    await expect(box.exec(["no-such-program"])).rejects.toMatchObject({ code: "ENOENT" });
    await expect(box.exec(["true"], { cwd: "/nowhere" })).rejects.toThrow("There is no directory /nowhere.");
    await expect(box.exec([])).rejects.toThrow("Name the program to run.");
  });
});
