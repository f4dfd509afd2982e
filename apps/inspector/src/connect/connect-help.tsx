import type { ReactNode } from "react";
import { CopyButton } from "../controls/copy-button.tsx";
import { Notice } from "../controls/notice.tsx";
import type { Target } from "./target.ts";
import type { Trouble } from "./try-connection.ts";
import "./connect-help.css";

/** What is wrong, and the one thing to do about it. */
export function TroubleHelp({ trouble, target }: { trouble: Trouble; target: Target }) {
  switch (trouble.kind) {
    case "refused":
      return (
        <Help title={`Nothing answers at ${target.url}.`}>
          <p>Is the daemon running, and is this its address? Start one with:</p>
          <Command text="sandbox-agent server" />
        </Help>
      );
    case "cors":
      return (
        <Help title="The daemon does not allow this page to talk to it (CORS).">
          <p>
            Something answers at {target.url}, but your browser may not read it from {location.origin}. Start the daemon
            with this page as an allowed origin:
          </p>
          <Command text={`sandbox-agent server --cors-allow-origin ${location.origin}`} />
          <p>
            Or open the inspector that the daemon serves itself, at <code>{target.url}/ui/</code>.
          </p>
        </Help>
      );
    case "mixed":
      return (
        <Help title="This page came over HTTPS and may not talk to plain HTTP.">
          <p>
            Put the daemon behind HTTPS, or open <code>{target.url}/ui/</code> instead.
          </p>
        </Help>
      );
    case "token":
      return trouble.server === "runtime" ? (
        <KeyHelp isMissing={trouble.isMissing} />
      ) : (
        <TokenHelp isMissing={trouble.isMissing} />
      );
    case "host":
      return (
        <Help title="The daemon refused this page.">
          <p>{trouble.detail}</p>
        </Help>
      );
    case "old":
      return (
        <Help title={`This daemon is too old${trouble.version ? ` (${trouble.version})` : ""}.`}>
          <p>Install the newest version and start it again.</p>
        </Help>
      );
    case "stranger":
      return (
        <Help title={`What answers at ${target.url} is no Sandbox Agent daemon.`}>
          <p>{trouble.detail} Check the address and the port.</p>
        </Help>
      );
  }
}

function TokenHelp({ isMissing }: { isMissing: boolean }) {
  return isMissing ? (
    <Help look="info" title="This daemon wants a token.">
      <p>It printed one when it started, with a link that has it inside. Paste either above, or ask for the link:</p>
      <Command text="sandbox-agent open --print" />
    </Help>
  ) : (
    <Help title="The token is wrong.">
      <p>Use the one the daemon printed when it started, or ask for its link:</p>
      <Command text="sandbox-agent open --print" />
    </Help>
  );
}

function KeyHelp({ isMissing }: { isMissing: boolean }) {
  return (
    <Help look={isMissing ? "info" : "bad"} title={isMissing ? "This runtime wants an API key." : "The key is wrong."}>
      <p>It printed one when it started for the first time. Paste that above, or make another where it runs:</p>
      <Command text="sandbox-agent runtime keys create --name me --scope admin" />
    </Help>
  );
}

export function StartHelp() {
  return (
    <section className="start-help" aria-label="How to start a daemon">
      <h2>No daemon yet?</h2>
      <p>Start one and open the link it prints:</p>
      <Command text="sandbox-agent server" />
      <p>To use this page with a daemon elsewhere, let it in:</p>
      <Command text={`sandbox-agent server --host 0.0.0.0 --token TOKEN --cors-allow-origin ${location.origin}`} />
    </section>
  );
}

interface HelpProps {
  readonly title: string;
  readonly look?: "bad" | "info";
  readonly children: ReactNode;
}

function Help({ title, look = "bad", children }: HelpProps) {
  return (
    <Notice title={title} look={look}>
      <div className="trouble-help">{children}</div>
    </Notice>
  );
}

function Command({ text }: { text: string }) {
  return (
    <div className="help-command">
      <code>{text}</code>
      <CopyButton text={text} label="Copy command" />
    </div>
  );
}
