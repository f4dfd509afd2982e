import type { Token, Tokens } from "marked";
import { Fragment, memo } from "react";
import { CodeBlock } from "./code-block.tsx";
import { Inline } from "./inline.tsx";

export const Block = memo(function Block({ token }: { token: Token }) {
  switch (token.type) {
    case "heading":
      return <Heading token={token as Tokens.Heading} />;
    case "paragraph":
      return (
        <p>
          <Inline tokens={(token as Tokens.Paragraph).tokens} />
        </p>
      );
    case "code":
      return <CodeBlock code={(token as Tokens.Code).text} language={(token as Tokens.Code).lang ?? ""} />;
    case "blockquote":
      return (
        <blockquote>
          <Blocks tokens={(token as Tokens.Blockquote).tokens} />
        </blockquote>
      );
    case "list":
      return <List token={token as Tokens.List} />;
    case "table":
      return <Table token={token as Tokens.Table} />;
    case "hr":
      return <hr />;
    case "html":
      return <p>{token.raw.trim()}</p>;
    case "text":
      return <Inline tokens={(token as Tokens.Text).tokens ?? [token]} />;
    default:
      return null;
  }
});

function Blocks({ tokens }: { tokens: readonly Token[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity but their place
  return tokens.map((token, at) => <Block key={at} token={token} />);
}

/** One level lower than written, and never deeper than h6: h1 is the page's. */
function Heading({ token }: { token: Tokens.Heading }) {
  const Name = `h${Math.min(6, token.depth + 2)}` as "h3" | "h4" | "h5" | "h6";
  return (
    <Name className={`markdown-h${Math.min(4, token.depth)}`}>
      <Inline tokens={token.tokens} />
    </Name>
  );
}

function List({ token }: { token: Tokens.List }) {
  const Name = token.ordered ? "ol" : "ul";
  const start = token.ordered && token.start !== "" && token.start !== 1 ? { start: token.start } : {};
  return (
    <Name {...start}>
      {token.items.map((item, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity but their place
        <li key={at} className={item.task ? "markdown-task" : undefined}>
          {item.task && <input type="checkbox" checked={item.checked === true} readOnly disabled aria-label="Done" />}
          <Blocks tokens={item.tokens.filter(({ type }) => type !== "checkbox")} />
        </li>
      ))}
    </Name>
  );
}

function Table({ token }: { token: Tokens.Table }) {
  const cell = (Name: "th" | "td") => (given: Tokens.TableCell, at: number) => (
    <Name key={at} className={given.align ? `markdown-${given.align}` : undefined}>
      <Inline tokens={given.tokens} />
    </Name>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="markdown-table" tabIndex={0} aria-label="Table">
      <table>
        <thead>
          <tr>{token.header.map(cell("th"))}</tr>
        </thead>
        <tbody>
          {token.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place
            <Fragment key={at}>
              <tr>{row.map(cell("td"))}</tr>
            </Fragment>
          ))}
        </tbody>
      </table>
    </section>
  );
}
