import { Lexer, type Token } from "marked";

interface MarkdownBlock {
  /** Where it begins in the text: its identity while the text grows. */
  readonly at: number;
  readonly token: Token;
}

export interface LexedMarkdown {
  readonly text: string;
  readonly blocks: readonly MarkdownBlock[];
}

export const emptyMarkdown: LexedMarkdown = { text: "", blocks: [] };

/** Blocks at the end that later text may still change: a list goes on after an empty line, a line below makes a heading. */
const OPEN_BLOCKS = 2;

/** The blocks of a text. When it only grew, those that can no longer change are kept, with their identity. */
export function lexMarkdown(before: LexedMarkdown, text: string): LexedMarkdown {
  if (text === before.text) return before;
  const kept = text.startsWith(before.text) ? before.blocks.slice(0, -OPEN_BLOCKS) : [];
  const last = kept.at(-1);
  const from = last === undefined ? 0 : last.at + last.token.raw.length;
  const blocks = kept.slice();
  let at = from;
  for (const token of Lexer.lex(text.slice(from), { gfm: true, breaks: false })) {
    if (token.type !== "space" && token.type !== "def") blocks.push({ at, token });
    at += token.raw.length;
  }
  return { text, blocks: reuse(before.blocks, blocks) };
}

/** A block that was read again and came out the same keeps its identity, so that it is not drawn again. */
function reuse(before: readonly MarkdownBlock[], blocks: readonly MarkdownBlock[]): MarkdownBlock[] {
  return blocks.map((block, index) => {
    const old = before[index];
    return old?.at === block.at && old.token.raw === block.token.raw ? old : block;
  });
}
