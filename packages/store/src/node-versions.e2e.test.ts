import { describe, expect, it } from "vitest";
import { hasBinaries, nodeBinary, otherNodeVersions, testStoreOn } from "../../../scripts/test-node-versions.mjs";

const fiveMinutes = 5 * 60 * 1000;

/** Each version with its binary, or with the reason why there is none here. */
const versions = await Promise.all(
  otherNodeVersions.map(async (version) => {
    if (!hasBinaries) return { version, reason: " (not here: binaries are fetched for Linux on x64 only)" };
    try {
      return { version, reason: "", binary: await nodeBinary(version) };
    } catch (error) {
      const [firstLine = ""] = String(error).split("\n");
      return { version, reason: ` (not here: it cannot be fetched: ${firstLine})` };
    }
  }),
);

describe("the tests of this package", () => {
  for (const { version, reason, binary } of versions) {
    it.skipIf(binary === undefined)(`pass on Node ${version}${reason}`, { timeout: fiveMinutes }, async () => {
      const { code, output } = await testStoreOn(binary!);
      expect(code, output).toBe(0);
      expect(output).toMatch(/Tests +(\d{3,}) passed/);
    });
  }
});
