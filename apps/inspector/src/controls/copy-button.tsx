import { useEffect, useState } from "react";
import { Icon } from "./icon.tsx";
import "./copy-button.css";

const SHOWN_MS = 1_500;

interface CopyButtonProps {
  readonly text: string | (() => string);
  readonly label: string;
  /** Words on the button; without them it is an icon. */
  readonly children?: string;
}

export function CopyButton({ text, label, children }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await navigator.clipboard.writeText(typeof text === "string" ? text : text());
    setCopied(true);
  };
  const name = copied ? `Copied: ${label}` : label;
  return (
    <button
      type="button"
      className={copied ? "copy-button copy-button-done" : "copy-button"}
      onClick={() => void copy()}
      aria-label={name}
      title={label}
    >
      <Icon name={copied ? "check" : "copy"} size={14} />
      {children && <span>{children}</span>}
    </button>
  );
}
