import { expect, test } from "vitest";
import { promptParts } from "./prompt-parts.ts";

function parts(...attachments: { path: string; mime?: string; filename?: string }[]) {
  return promptParts({ turnId: "t", message: "look", attachments }, "/workspace");
}

test("a message is a text", () => {
  expect(parts()).toEqual([{ type: "text", text: "look" }]);
});

test.each([
  [{ path: "a b.png" }, { mime: "image/png", filename: "/workspace/a b.png", url: "file:///workspace/a%20b.png" }],
  [
    { path: "/x/n.txt", mime: "text/markdown", filename: "n" },
    { mime: "text/plain", filename: "n", url: "file:///x/n.txt" },
  ],
  [
    { path: "d.json", mime: "application/json" },
    { mime: "text/plain", url: "file:///workspace/d.json" },
  ],
  [{ path: "p.pdf" }, { mime: "application/pdf" }],
  [{ path: "Makefile" }, { mime: "text/plain" }],
])("%j is read for the model", (attachment, part) => {
  expect(parts(attachment)).toMatchObject([{ text: "look" }, { type: "file", ...part }]);
});

test("of what it cannot read it is told where it is", () => {
  const zip = { path: "a.zip", mime: "application/zip" };
  const svg = { path: "/x/i.svg", mime: "image/svg+xml" };
  expect(parts(zip)).toEqual([{ type: "text", text: "look\n\nAttached files:\n- /workspace/a.zip (application/zip)" }]);
  expect(parts(svg)).toMatchObject([{ text: "look" }, { mime: "text/plain" }]);
});
