// Files come into a box and out of it whole, with their modes, or not at all.

import { describe, expect, it } from "vitest";
import { shell, testBoxes, withoutBoxes } from "./__fixtures__/test-boxes.ts";

describe.skipIf(withoutBoxes)(`files of a box${withoutBoxes}`, () => {
  const boxes = testBoxes();

  it("are written with their parents and modes, as the box's user", async () => {
    const box = await boxes.create();
    await box.write("/home/user/a/b/run.sh", Buffer.from("#!/bin/sh\necho ran\n"), 0o755);
    await box.write("/home/user/plain", Buffer.from(""));
    expect(await shell(box, "/home/user/a/b/run.sh")).toBe("ran");
    expect(await shell(box, "stat -c '%a %U' plain a a/b/run.sh")).toBe("644 user\n755 user\n755 user");
  });

  it("replace what is there, and are read as they are", async () => {
    const box = await boxes.create();
    const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 256));
    await box.write("/tmp/file", Buffer.from("a longer time ago"));
    await box.write("/tmp/file", bytes);
    expect((await box.read("/tmp/file"))?.equals(bytes)).toBe(true);
    expect((await box.read("/proc/self/comm"))?.toString()).toBe("box\n");
    expect(await box.read("/tmp/none")).toBeUndefined();
    expect(await box.read("/tmp/file/below")).toBeUndefined();
  });

  it("are taken from a stream; one that breaks leaves nothing", async () => {
    const box = await boxes.create();
    async function* parts(breaks: boolean) {
      yield Buffer.from("first ");
      if (breaks) throw new Error("The source broke.");
      yield Buffer.from("second");
    }
    await box.write("/tmp/streamed", parts(false));
    expect((await box.read("/tmp/streamed"))?.toString()).toBe("first second");
    await expect(box.write("/tmp/broken", parts(true))).rejects.toThrow("The source broke.");
    expect(await shell(box, "ls /tmp")).toBe("streamed");
  });

  it("are refused where the user may not write, and a directory is no file", async () => {
    const box = await boxes.create();
    const large = Buffer.alloc(5_000_000);
    await expect(box.write("/etc/passwd", large)).rejects.toMatchObject({ code: "EACCES" });
    await expect(box.write("/usr/bin/new", large)).rejects.toMatchObject({ code: "EROFS" });
    await expect(box.read("/home/user")).rejects.toMatchObject({ code: "EISDIR" });
  });
});
