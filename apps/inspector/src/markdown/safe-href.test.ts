import { expect, test } from "vitest";
import { decodeEntities } from "./decode-entities.ts";
import { safeHref } from "./safe-href.ts";

test.each([
  "javascript:alert(1)",
  " JaVaScRiPt:alert(1)",
  "java\nscript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "vbscript:x",
  "file:///etc/passwd",
  "blob:https://x.example/1",
  "//evil.example",
  "/ui/",
  "#/sessions/x",
  "",
])("%j is no link", (href) => {
  expect(safeHref(href)).toBeUndefined();
});

test.each(["https://example.com/a?b#c", "http://localhost:3000/", "mailto:a@example.com"])("%s is a link", (href) => {
  expect(safeHref(href)).toBe(href);
});

test("entities become characters, whatever they claim to be", () => {
  expect(decodeEntities("&lt;b&gt; &amp;amp; &#65;&#x42; &unknown; &#0; &#x110000;")).toBe(
    "<b> &amp; AB &unknown; \ufffd \ufffd",
  );
});
