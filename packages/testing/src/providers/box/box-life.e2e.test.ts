// A box stands still, stops, ends at its deadline and leaves nothing; it never outlives who made it.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";
import { describe, expect, it, vi } from "vitest";
import { eventually, shell, testBoxes, withoutBoxes } from "./__fixtures__/test-boxes.ts";
import type { Box } from "./box.ts";
import { openBoxHost } from "./box-host.ts";

/** Makes a file longer for as long as it runs. */
const growing = ["sh", "-c", "while :; do echo >>/tmp/n; done"];
const length = async (box: Box) => Number(await shell(box, "wc -c </tmp/n"));

const nobody = { uid: 65_534, gid: 65_534 };

const isStopped = (pid: number) => / [Tt] /.test(readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\)/, ""));

it("says what to do where bubblewrap is missing", async () => {
  await expect(openBoxHost({ bubblewrap: "/no/such/bwrap" })).rejects.toThrow("Install the package `bubblewrap`");
});

describe.skipIf(withoutBoxes)(`the life of a box${withoutBoxes}`, () => {
  const boxes = testBoxes();

  it("stands still with all its processes when it is frozen, and goes on", async () => {
    const box = await boxes.create();
    const { pid } = await box.exec(growing, { detached: true });
    await box.freeze();
    await box.freeze();
    expect(box.state).toBe("frozen");
    const [, ...others] = box.processes();
    expect(others.length).toBeGreaterThanOrEqual(2);
    expect(others.filter(({ pid: of }) => !isStopped(of))).toEqual([]);
    await expect(box.exec(["true"])).rejects.toThrow("is frozen");
    await box.thaw();
    await box.thaw();
    expect(box.state).toBe("running");
    expect(await shell(box, `kill -0 ${pid} && echo alive`)).toBe("alive");
    const before = await length(box);
    await eventually(async () => expect(await length(box)).toBeGreaterThan(before));
  });

  it("leaves what had been stopped inside as it was", async () => {
    const box = await boxes.create();
    const { pid } = await box.exec(["sleep", "1000"], { detached: true });
    const state = () => shell(box, `cut -d ' ' -f 3 /proc/${pid}/stat`);
    await shell(box, `kill -STOP ${pid}`);
    await eventually(async () => expect(await state()).toBe("T"));
    await box.freeze();
    await box.thaw();
    expect(await state()).toBe("T");
  });

  it("lets who connects to a frozen one wait until it goes on", async () => {
    const box = await boxes.create();
    await box.freeze();
    const refused = expect(box.connect(3000)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    await box.thaw();
    await refused;
  });

  it("keeps its disk over a stop, and none of its processes", async () => {
    const box = await boxes.create();
    await box.write("/home/user/kept", Buffer.from("still here"));
    const { exited } = await box.exec(growing);
    await box.freeze();
    await box.stop();
    await box.stop();
    expect([box.state, box.processes(), await exited]).toEqual(["stopped", [], { code: null, signal: "SIGKILL" }]);
    await expect(box.exec(["true"])).rejects.toThrow("is stopped");
    await expect(box.connect(3000)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    await box.start();
    await box.start();
    expect(await shell(box, "cat kept; ls /proc | grep -c '^[0-9]*$'")).toMatch(/^still here[1-6]$/);
  });

  it("is stopped when its own processes end all of it", async () => {
    const box = await boxes.create();
    await box.run(["sh", "-c", "kill -KILL 2"]).catch(() => {});
    await eventually(() => expect(box.state).toBe("stopped"));
    await box.start();
    expect(await shell(box, "echo again")).toBe("again");
  });

  it("does at its deadline what was said last, and nothing when it is gone before", async () => {
    const box = await boxes.create();
    const [never, then] = [vi.fn(), vi.fn()];
    box.setDeadline(Date.now() + 20, never);
    box.setDeadline(Date.now() + 2 ** 40, never);
    expect(box.deadline).toBeGreaterThan(Date.now() + 2 ** 39);
    box.setDeadline(Date.now() + 30, then);
    await eventually(() => expect(then).toHaveBeenCalledOnce());
    box.setDeadline(Date.now() + 20, never);
    box.setDeadline(undefined, never);
    expect(box.deadline).toBeUndefined();
    box.setDeadline(Date.now() + 20, never);
    await box.destroy();
    await sleep(30);
    expect(never).not.toHaveBeenCalled();
  });

  it("leaves nothing when it is destroyed, however it was, and is called so twice", async () => {
    for (const state of ["running", "frozen", "stopped"]) {
      const box = await boxes.create();
      await box.publish(3000);
      await box.run(["sh", "-c", "mkdir -p a/b && touch a/b/c && chmod 000 a/b a"]);
      await box.exec(["sleep", "1000"], { detached: true });
      if (state === "frozen") await box.freeze();
      if (state === "stopped") await box.stop();
      const folder = box.leftovers().at(-1)!.replace("directory ", "");
      const pids = box.processes().map(({ pid }) => pid);
      await Promise.all([box.destroy(), box.destroy()]);
      expect([box.state, box.leftovers(), existsSync(folder)]).toEqual(["destroyed", [], false]);
      expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
      await expect(box.start()).rejects.toThrow("is destroyed");
    }
  });

  it("goes with its host, which makes no more, and says so", async () => {
    const host = await openBoxHost();
    const boxesOfHost = await Promise.all(["a", "b"].map((id) => host.create({ id, home: "/home/user" })));
    expect([...host.boxes.keys()].sort()).toEqual(["a", "b"]);
    await expect(host.create({ id: "a", home: "/home/user" })).rejects.toThrow("There is a box a already.");
    const late = host.create({ id: "late", home: "/home/user" });
    await Promise.all([host.close(), host.close()]);
    boxesOfHost.push(await late);
    expect(boxesOfHost.flatMap((box) => box.leftovers())).toEqual([]);
    expect(host.boxes.size).toBe(0);
    await expect(host.create({ id: "c", home: "/home/user" })).rejects.toThrow("No boxes are made any more.");
  });

  const isRoot = process.getuid?.() === 0;
  const owners = [
    { who: "the process that made it", ids: {}, reason: "" },
    { who: "a process without rights that made it", ids: nobody, reason: isRoot ? "" : " (left out: needs root)" },
  ];
  describe.each(owners)("of $who", ({ ids, reason }) => {
    it.skipIf(reason)(`ends with it, even if that is killed, and its directory is gone${reason}`, async () => {
      const entry = new URL("./__fixtures__/box-owner-program.ts", import.meta.url).pathname;
      const program = await build({
        entryPoints: [entry],
        bundle: true,
        platform: "node",
        format: "esm",
        write: false,
      });
      const args = ["--input-type=module", "-e", program.outputFiles[0]!.text];
      const owner = spawn(process.execPath, args, { ...ids, cwd: "/", stdio: ["ignore", "pipe", "inherit"] });
      const [line] = (await once(createInterface({ input: owner.stdout! }), "line")) as [string];
      const { ended, orphan } = JSON.parse(line) as { ended: string[]; orphan: string[] };
      const places = orphan.map((left) => left.replace(/^process (\d+):.*/, "/proc/$1").replace("directory ", ""));
      expect([ended, places.length]).toEqual([[], 4]);
      owner.kill("SIGKILL");
      await eventually(() => expect(places.filter((place) => existsSync(place))).toEqual([]));
    });
  });
});
