import { memo } from "react";
import { Highlighted } from "../markdown/highlighted.tsx";
import { CopyButton } from "./copy-button.tsx";
import "./json-view.css";

export const JsonView = memo(function JsonView({ value }: { value: unknown }) {
  const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "undefined");
  return (
    <div className="json-view">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <Highlighted code={text} language="json" />
      </pre>
      <CopyButton text={text} label="Copy" />
    </div>
  );
});
