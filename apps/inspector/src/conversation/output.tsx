import { memo, useState } from "react";
import { AnsiText } from "../ansi/ansi-text.tsx";
import { CopyButton } from "../controls/copy-button.tsx";
import "./output.css";

/** What stays to be seen of a long output: its end is what matters. */
const SHOWN_LINES = 40;
const SHOWN_CHARACTERS = 20_000;

interface OutputProps {
  readonly command?: string | undefined;
  readonly output: string;
  readonly isRunning?: boolean;
  readonly exitCode?: number | undefined;
}

/** What was printed: a command or colours for a terminal look like one, other text is calmer. */
export const Output = memo(function Output({ command, output, isRunning = false, exitCode }: OutputProps) {
  const [isWhole, setWhole] = useState(false);
  const { text, hidden } = isWhole ? { text: output, hidden: 0 } : endOf(output);
  return (
    <div className={isForTerminal(command, output) ? "output output-terminal" : "output"}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        {command !== undefined && (
          <span className="output-command">
            <span className="output-prompt">$ </span>
            {command}
            {"\n"}
          </span>
        )}
        {hidden > 0 && (
          <button type="button" className="output-more" onClick={() => setWhole(true)}>
            Show {hidden} earlier lines
          </button>
        )}
        <AnsiText text={text} />
        {isRunning && <span className="output-cursor" aria-hidden="true" />}
      </pre>
      {exitCode !== undefined && exitCode !== 0 && <p className="output-exit">Exit code {exitCode}</p>}
      <CopyButton text={command === undefined ? output : `$ ${command}\n${output}`} label="Copy output" />
    </div>
  );
});

function isForTerminal(command: string | undefined, output: string): boolean {
  return command !== undefined || output.includes("\u001b");
}

function endOf(output: string): { text: string; hidden: number } {
  const lines = output.replace(/\n$/, "").split("\n");
  const kept = lines.slice(-SHOWN_LINES).join("\n").slice(-SHOWN_CHARACTERS);
  return { text: kept, hidden: Math.max(0, lines.length - SHOWN_LINES) };
}
