import type { ElementContent, Root } from "hast";
import { Fragment, memo, useEffect, useState } from "react";
import { highlight } from "./highlight.ts";
import "./highlighted.css";

/** Code in colours as soon as they are known, in one colour until then; both take the same room. */
export const Highlighted = memo(function Highlighted({ code, language }: { code: string; language: string }) {
  const tree = useHighlight(code, language);
  return tree === undefined ? code : <Nodes nodes={tree.children as ElementContent[]} />;
});

function useHighlight(code: string, language: string): Root | undefined {
  const [done, setDone] = useState<{ code: string; tree: Root | undefined }>();
  useEffect(() => {
    let isCurrent = true;
    void highlight(code, language).then((tree) => isCurrent && setDone({ code, tree }));
    return () => {
      isCurrent = false;
    };
  }, [code, language]);
  return done?.code === code ? done.tree : undefined;
}

function Nodes({ nodes }: { nodes: readonly ElementContent[] }) {
  return nodes.map((node, at) => {
    if (node.type === "text") return node.value;
    if (node.type !== "element") return null;
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: nodes have no identity but their place
      <Fragment key={at}>
        <span className={classesOf(node.properties.className)}>
          <Nodes nodes={node.children} />
        </span>
      </Fragment>
    );
  });
}

function classesOf(value: unknown): string {
  return Array.isArray(value) ? value.join(" ") : "";
}
