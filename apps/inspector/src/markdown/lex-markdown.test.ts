import fc from "fast-check";
import { expect, test } from "vitest";
import { emptyMarkdown, lexMarkdown } from "./lex-markdown.ts";

const pieces = fc.constantFrom(
  "# Title\n",
  "word ",
  "word\n",
  "\n",
  "\n\n",
  "- item\n",
  "  - nested\n",
  "1. one\n",
  "```ts\n",
  "```\n",
  "code();\n",
  "> quote\n",
  "| a | b |\n| - | - |\n",
  "| 1 | 2 |\n",
  "---\n",
  "<b>",
  "**bold** ",
  "[x](https://x.example) ",
);

const shapes = (text: string, cuts: readonly number[]) => {
  let lexed = emptyMarkdown;
  for (const cut of [...cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b), text.length]) {
    lexed = lexMarkdown(lexed, text.slice(0, cut));
  }
  return lexed.blocks.map(({ at, token }) => [at, token.type, token.raw]);
};

test("however a text grows, its blocks are those of the whole", () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), fc.array(fc.nat(), { maxLength: 12 }), (parts, cuts) => {
      const text = parts.join("");
      expect(shapes(text, cuts)).toEqual(shapes(text, []));
    }),
    { numRuns: 400 },
  );
});

test("blocks that are done keep their identity while the text grows", () => {
  const one = lexMarkdown(emptyMarkdown, "# One\n\nTwo\n\nThree\n\nFour");
  const two = lexMarkdown(one, "# One\n\nTwo\n\nThree\n\nFour and more");
  expect(two.blocks.slice(0, 3)).toEqual(one.blocks.slice(0, 3));
  for (const at of [0, 1, 2]) expect(two.blocks[at]).toBe(one.blocks[at]);
  expect(two.blocks[3]).not.toBe(one.blocks[3]);
});
