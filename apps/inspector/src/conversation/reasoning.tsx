import type { ReasoningPart } from "@sandbox-agent-ts/protocol";
import { memo } from "react";
import { Disclosure } from "../controls/disclosure.tsx";
import { Icon } from "../controls/icon.tsx";
import { MessageText } from "./message-text.tsx";
import "./reasoning.css";

interface ReasoningProps {
  readonly part: ReasoningPart;
  readonly isWriting: boolean;
}

/** What the model thought: a line that opens. Of private thoughts the line shows nothing. */
export const Reasoning = memo(function Reasoning({ part: { text, visibility }, isWriting }: ReasoningProps) {
  const isPrivate = visibility === "private";
  return (
    <Disclosure
      className="reasoning"
      summary={
        <>
          <Icon name={isPrivate ? "lock" : "spark"} size={14} />
          <span className="reasoning-label">{labelOf(isPrivate, isWriting)}</span>
          {!isPrivate && <span className="truncate reasoning-line">{lineOf(text, isWriting)}</span>}
        </>
      }
    >
      {() => (
        <div className="reasoning-text">
          <MessageText text={text} isPlain={false} />
        </div>
      )}
    </Disclosure>
  );
});

function labelOf(isPrivate: boolean, isWriting: boolean): string {
  if (isPrivate) return "Private thought, hidden";
  return isWriting ? "Thinking" : "Thought";
}

/** While it is written the newest line tells how it goes, afterwards the first one what it was about. */
function lineOf(text: string, isWriting: boolean): string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return ((isWriting ? lines.at(-1) : lines[0]) ?? "").replace(/[*_#`]/g, "").trim();
}
