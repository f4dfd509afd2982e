import { basename } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { bundleCli } from "../../../../scripts/bundle-cli.mjs";

type Outputs = Record<string, { imports: { path: string; kind: string; external?: boolean }[]; inputs: object }>;

let outputs: Outputs;

beforeAll(async () => {
  const { metafile } = await bundleCli("/out", { metafile: true, logLevel: "silent" });
  outputs = metafile?.outputs ?? {};
});

/** The sources a part of the bundle evaluates when it is loaded. */
function loadedWith(name: string): string[] {
  const parts = Object.keys(outputs).filter((path) => basename(path).startsWith(name));
  for (const part of parts) {
    for (const { path, kind, external } of outputs[part]?.imports ?? []) {
      if (kind !== "dynamic-import" && !external && !parts.includes(path)) parts.push(path);
    }
  }
  return parts.flatMap((part) => Object.keys(outputs[part]?.inputs ?? {}));
}

const slow = /node_modules\/(commander|zod|pino|tar-stream)\/|packages\/sdk\//;

describe("what starting a server loads", () => {
  it("is the server, and nothing that can wait or that only other commands need", () => {
    const sources = [...loadedWith("sandbox-agent.cjs"), ...loadedWith("run-server-")];
    expect(sources).toContain("packages/daemon/src/daemon.ts");
    expect(sources.filter((source) => slow.test(source))).toEqual([]);
  });

  it("is known to include what other commands load (or the test above looks at nothing)", () => {
    expect(loadedWith("program-").some((source) => slow.test(source))).toBe(true);
  });
});
