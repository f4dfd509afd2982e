import { memo, useState } from "react";
import { Button } from "../controls/button.tsx";
import { formatCount } from "../format/numbers.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { shownFrom } from "./long-text.ts";

interface MessageTextProps {
  readonly text: string;
  /** People write what they mean; agents write Markdown. */
  readonly isPlain: boolean;
}

export const MessageText = memo(function MessageText({ text, isPlain }: MessageTextProps) {
  const [isWhole, setWhole] = useState(false);
  const from = isWhole ? 0 : shownFrom(text);
  const shown = from === 0 ? text : text.slice(from);
  return (
    <>
      {from > 0 && (
        <Button look="quiet" onClick={() => setWhole(true)}>
          Show the {formatCount(from)} characters before
        </Button>
      )}
      {isPlain ? <p className="message-plain">{shown}</p> : <Markdown key={from} text={shown} />}
    </>
  );
});
