import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, onTestFinished, vi } from "vitest";
import type { Box, BoxOptions } from "../box.ts";
import { type BoxHost, openBoxHost } from "../box-host.ts";

const isMissing = spawnSync("bwrap", ["--version"]).error !== undefined;

/** For the title of tests that need boxes; empty where they can be had. */
export const withoutBoxes = isMissing ? " (left out: bubblewrap is not installed)" : "";

/** A host for all tests of a file. */
export function testBoxes() {
  let host: BoxHost | undefined;
  let made = 0;
  beforeAll(async () => {
    if (!isMissing) host = await openBoxHost();
  });
  afterAll(() => host?.close());
  return {
    /** A box until the end of the test. */
    async create(options: Partial<BoxOptions> = {}): Promise<Box> {
      made += 1;
      const box = await host!.create({ id: `box/${made}`, home: "/home/user", ...options });
      onTestFinished(() => box.destroy());
      return box;
    },
  };
}

/** Run a script of the shell to its end; what it says in full, without the last line break. */
export async function shell(box: Box, script: string): Promise<string> {
  const { stdout, stderr } = await box.run(["sh", "-c", script]);
  return (stdout + stderr).trimEnd();
}

/** On a busy machine, too. */
export const eventually = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 20_000 });
