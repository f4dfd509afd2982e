import type { Token, Tokens } from "marked";
import { Fragment, type ReactNode } from "react";
import { decodeEntities } from "./decode-entities.ts";
import { safeHref } from "./safe-href.ts";

/** The inside of a paragraph. HTML an agent wrote is shown as the text it is. */
export function Inline({ tokens }: { tokens: readonly Token[] }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity but their place
  return tokens.map((token, at) => <Fragment key={at}>{inlineOf(token)}</Fragment>);
}

function inlineOf(token: Token): ReactNode {
  switch (token.type) {
    case "strong":
      return <strong>{inside(token)}</strong>;
    case "em":
      return <em>{inside(token)}</em>;
    case "del":
      return <del>{inside(token)}</del>;
    case "codespan":
      return <code>{(token as Tokens.Codespan).text}</code>;
    case "br":
      return <br />;
    case "link":
      return <SafeLink href={(token as Tokens.Link).href}>{inside(token)}</SafeLink>;
    case "image":
      return <SafeLink href={(token as Tokens.Image).href}>{(token as Tokens.Image).text || "image"}</SafeLink>;
    case "html":
      return /^<br\s*\/?>$/i.test(token.raw) ? <br /> : token.raw;
    case "escape":
      return (token as Tokens.Escape).text;
    default:
      return inside(token);
  }
}

function inside(token: Token): ReactNode {
  if ("tokens" in token && token.tokens) return <Inline tokens={token.tokens} />;
  return "text" in token ? decodeEntities(String(token.text)) : token.raw;
}

/** Pictures of other sites are links too: loading one would tell that site who reads this. */
function SafeLink({ href, children }: { href: string; children: ReactNode }) {
  const safe = safeHref(href);
  if (safe === undefined) return <span className="markdown-dead-link">{children}</span>;
  return (
    <a href={safe} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}
