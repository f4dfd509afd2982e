import { memo, useRef } from "react";
import { Block } from "./block.tsx";
import { emptyMarkdown, lexMarkdown } from "./lex-markdown.ts";
import "./markdown.css";

/** Markdown as React elements: no markup of the text's own ever reaches the page. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  const lexed = useRef(emptyMarkdown);
  lexed.current = lexMarkdown(lexed.current, text);
  return (
    <div className="markdown">
      {lexed.current.blocks.map(({ at, token }) => (
        <Block key={at} token={token} />
      ))}
    </div>
  );
});
