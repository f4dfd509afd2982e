import { beforeAll, describe, expect, it } from "vitest";
import { bundleCli } from "../../../../scripts/bundle-cli.mjs";
import { loadedWith } from "../../../../scripts/join-parts.mjs";

type Metafile = NonNullable<Awaited<ReturnType<typeof bundleCli>>["metafile"]>;

let metafile: Metafile;

beforeAll(async () => {
  metafile = (await bundleCli("/out", { metafile: true, logLevel: "silent" })).metafile!;
});

/** The sources that parts of the bundle evaluate when they are loaded. */
function sourcesOf(...names: string[]): string[] {
  return loadedWith(metafile, names).flatMap((part) => Object.keys(metafile.outputs[part]?.inputs ?? {}));
}

const slow = /node_modules\/|packages\/sdk\/|files-store|supervisor|packages\/agents\/src\/install/;

describe("what starting a server loads", () => {
  it("is the server, and nothing that can wait or that only other commands need", () => {
    const sources = sourcesOf("sandbox-agent.cjs", "run-server-");
    expect(sources).toContain("packages/daemon/src/daemon.ts");
    expect(sources.filter((source) => slow.test(source))).toEqual([]);
  });

  it("is known to include what other commands load (or the test above looks at nothing)", () => {
    expect(sourcesOf("program-").some((source) => slow.test(source))).toBe(true);
  });
});
