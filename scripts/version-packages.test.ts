import { expect, it } from "vitest";
import { releaseNotes, withRelease } from "./version-packages.mjs";

const plan = {
  changesets: [
    { summary: "A mended thing.\nSecond line.", releases: [{ name: "@scope/a", type: "patch" }] },
    {
      summary: "A new thing.",
      releases: [
        { name: "@scope/a", type: "patch" },
        { name: "@scope/b", type: "minor" },
      ],
    },
    { summary: "Another new thing.", releases: [{ name: "@scope/a", type: "minor" }] },
  ],
  releases: [{ name: "@scope/a", type: "minor", newVersion: "0.3.0" }],
};

const notes = `## 0.3.0 (2026-11-20)

### New

- A new thing.
- Another new thing.

### Fixed

- A mended thing.
  Second line.
`;

it("a release lists each change once, the largest steps first", () => {
  expect(releaseNotes(plan, "2026-11-20")).toBe(notes);
});

it("without changes there is no release", () => {
  expect(releaseNotes({ changesets: [], releases: [] }, "2026-11-20")).toBeUndefined();
});

it("a release comes before the newest one", () => {
  const text = "# Changelog\n\nWords.\n\n## 0.2.0\n\n- First.\n";
  expect(withRelease(text, notes)).toBe(`# Changelog\n\nWords.\n\n${notes}\n## 0.2.0\n\n- First.\n`);
  expect(withRelease("# Changelog\n", notes)).toBe(`# Changelog\n\n${notes}`);
});
