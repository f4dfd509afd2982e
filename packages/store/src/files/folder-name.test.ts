import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { oddSessionIds } from "../contract/odd-session-ids.ts";
import { folderName } from "./folder-name.ts";

describe("the folder of a session", () => {
  it("is named like the session where that is safe", () => {
    expect(folderName("session-1_a")).toBe("session-1_a");
  });

  it("has a name that every file system takes and no other session has, whatever its case", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...oddSessionIds))), (ids) => {
        const names = ids.map(folderName);
        for (const name of names) expect(name).toMatch(/^[a-z0-9_-][a-z0-9_~-]{0,120}$|^~[0-9a-f]{32}$/);
        expect(new Set(names).size).toBe(ids.length);
      }),
    );
  });
});
