import { fstatSync, openSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { OpenFiles, type Reopenable } from "./open-files.ts";

class OpenFile implements Reopenable {
  busy = false;
  descriptor: number | undefined = openSync(import.meta.filename, "r");

  takeDescriptor(): number | undefined {
    const descriptor = this.descriptor;
    this.descriptor = undefined;
    return descriptor;
  }
}

const isOpen = ({ descriptor }: OpenFile): boolean => descriptor !== undefined;

describe("open files", () => {
  it("beyond the limit are closed, the longest unused first", () => {
    const files = new OpenFiles(2);
    const [a, b, c] = [new OpenFile(), new OpenFile(), new OpenFile()];
    const descriptor = b.descriptor!;
    for (const file of [a, b, a, c]) files.used(file);
    expect([a, b, c].map(isOpen)).toEqual([true, false, true]);
    expect(() => fstatSync(descriptor)).toThrow("EBADF");
    for (const file of [a, c]) files.close(file);
    expect([a, b, c].map(isOpen)).toEqual([false, false, false]);
  });

  it("that are busy stay open, and the limit holds again when they are not", () => {
    const files = new OpenFiles(2);
    const many = Array.from({ length: 10 }, () => new OpenFile());
    for (const file of many) {
      file.busy = true;
      files.used(file);
    }
    expect(many.filter(isOpen)).toHaveLength(10);
    for (const file of many) file.busy = false;
    files.used(many[9]!);
    expect(many.filter(isOpen)).toEqual(many.slice(8));
    for (const file of many) files.close(file);
  });
});
