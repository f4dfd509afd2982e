import { memo } from "react";
import { CopyButton } from "../controls/copy-button.tsx";
import { Highlighted } from "./highlighted.tsx";
import "./code-block.css";

export const CodeBlock = memo(function CodeBlock({ code, language }: { code: string; language: string }) {
  const name = /^[\w+#.-]{1,24}/.exec(language)?.[0] ?? "";
  return (
    <figure className="code-block">
      <figcaption>
        <span>{name || "text"}</span>
        <CopyButton text={code} label="Copy code" />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        <code>
          <Highlighted code={code} language={name} />
        </code>
      </pre>
    </figure>
  );
});
