import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "./__fixtures__/temporary-directory.ts";
import { checkFormat, ensureFormat } from "./format.ts";

const formatIn = (directory: string) => JSON.parse(readFileSync(join(directory, "format.json"), "utf8")) as unknown;

function directoryWith(format: string): string {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, "format.json"), format);
  return directory;
}

describe("the format of a data directory", () => {
  it("is today's in a new one, however deep, and stays", () => {
    const directory = join(temporaryDirectory(), "a", "b");
    ensureFormat(directory);
    ensureFormat(directory);
    expect(formatIn(directory)).toEqual({ format: 2 });
  });

  it("that is newer is refused with what to do", () => {
    const directory = directoryWith('{"format":7}');
    expect(() => ensureFormat(directory)).toThrow(
      expect.objectContaining({
        code: "internal_error",
        message: expect.stringMatching(/newer version \(format 7, this one knows 2\).*Update sandbox-agent/),
      }),
    );
    expect(formatIn(directory)).toEqual({ format: 7 });
  });

  it.each(["", "{", "null", "{}", '{"format":"1"}', '{"format":0}', '{"format":-1}', '{"format":1.5}'])(
    "that cannot be read (%j) is refused with what to do",
    (content) => {
      const directory = directoryWith(content);
      expect(() => ensureFormat(directory, [() => {}])).toThrow(
        expect.objectContaining({
          code: "internal_error",
          message: expect.stringMatching(/format\.json.*unknown.*\{"format":2\}/),
        }),
      );
    },
  );

  it("that is missing where there are sessions is not guessed", () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, "sessions", "s"), { recursive: true });
    expect(() => ensureFormat(directory)).toThrow(
      expect.objectContaining({ message: expect.stringContaining("unknown") }),
    );
  });
});

describe("a look at the format", () => {
  it("writes no format into a new directory", () => {
    const directory = temporaryDirectory();
    checkFormat(directory);
    expect(readdirSync(directory)).toEqual(["sessions"]);
  });

  it("leaves an older directory to its migration", () => {
    const directory = directoryWith('{"format":1}');
    checkFormat(directory, [() => expect.unreachable()]);
    expect(formatIn(directory)).toEqual({ format: 1 });
  });

  it("refuses what is newer or cannot be read", () => {
    expect(() => checkFormat(directoryWith('{"format":7}'))).toThrow("newer version");
    expect(() => checkFormat(directoryWith("{"))).toThrow("unknown");
  });
});

describe("a migration", () => {
  /** Steps that write down that they ran; the one to crash does so after its work, before it is noted. */
  function steps(crashAt?: number) {
    const ran: number[] = [];
    const make = (step: number) => () => {
      ran.push(step);
      if (step === crashAt) throw new Error("crash");
    };
    return { ran, steps: [make(1), make(2), make(3)] };
  }

  it("runs every step since the format found, in order, once", () => {
    const directory = directoryWith('{"format":2}');
    const { ran, steps: all } = steps();
    ensureFormat(directory, all);
    expect(ran).toEqual([2, 3]);
    expect(formatIn(directory)).toEqual({ format: 4 });
    ensureFormat(directory, all);
    expect(ran).toEqual([2, 3]);
  });

  it("goes on after a crash with the step that was not finished", () => {
    const directory = directoryWith('{"format":1}');
    const crashing = steps(2);
    expect(() => ensureFormat(directory, crashing.steps)).toThrow();
    expect(formatIn(directory)).toEqual({ format: 2 });
    const second = steps();
    ensureFormat(directory, second.steps);
    expect(second.ran).toEqual([2, 3]);
    expect(formatIn(directory)).toEqual({ format: 4 });
  });

  it("does not run in a new directory", () => {
    const directory = temporaryDirectory();
    const { ran, steps: all } = steps();
    ensureFormat(directory, all);
    expect(ran).toEqual([]);
    expect(formatIn(directory)).toEqual({ format: 4 });
  });
});
