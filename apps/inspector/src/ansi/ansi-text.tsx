import { memo } from "react";
import { parseAnsi } from "./parse-ansi.ts";
import "./ansi-text.css";

export const AnsiText = memo(function AnsiText({ text }: { text: string }) {
  // Spans have no identity but their place.
  return parseAnsi(text).map(({ text: piece, classes }, at) =>
    classes.length === 0 ? (
      piece
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: spans have no identity but their place
      <span key={at} className={classes.join(" ")}>
        {piece}
      </span>
    ),
  );
});
