import { memo, useState } from "react";
import { Button } from "../controls/button.tsx";
import type { Diff, DiffLine } from "./parse-diff.ts";
import "./diff-view.css";

/** Longer diffs begin folded: one page of them is enough to see what they are about. */
const SHOWN_LINES = 60;

const marks = { add: "+", del: "−", same: "", gap: "" } as const;
const spoken = { add: "added", del: "removed", same: "", gap: "" } as const;

interface DiffViewProps {
  readonly diff: Diff;
  readonly path?: string;
}

export const DiffView = memo(function DiffView({ diff, path }: DiffViewProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? diff.lines : diff.lines.slice(0, SHOWN_LINES);
  const hidden = diff.lines.length - shown.length;
  return (
    <figure className="diff">
      {path !== undefined && (
        <figcaption>
          <span className="truncate" title={path}>
            {path}
          </span>
          <DiffCount diff={diff} />
        </figcaption>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="diff-lines" tabIndex={0} aria-label={path === undefined ? "Changes" : `Changes of ${path}`}>
        <table>
          <tbody>
            {shown.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
              <Line key={at} line={line} />
            ))}
          </tbody>
        </table>
      </section>
      {hidden > 0 && (
        <Button look="quiet" className="diff-more" onClick={() => setWhole(true)}>
          Show {hidden} more lines
        </Button>
      )}
    </figure>
  );
});

function Line({ line: { kind, text, before, after } }: { line: DiffLine }) {
  return (
    <tr className={`diff-${kind}`}>
      <td className="diff-number">{before}</td>
      <td className="diff-number">{after}</td>
      <td className="diff-mark">
        <span aria-hidden="true">{marks[kind]}</span>
        <span className="visually-hidden">{spoken[kind]}</span>
      </td>
      <td className="diff-text">{kind === "gap" ? `⋯ ${text}` : text}</td>
    </tr>
  );
}

export function DiffCount({ diff: { added, removed } }: { diff: Diff }) {
  return (
    <span className="diff-count">
      <span className="diff-added">+{added}</span> <span className="diff-removed">−{removed}</span>
    </span>
  );
}
