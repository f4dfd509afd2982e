import { shellQuote } from "../output/shell-quote.ts";
import { inspectorLink } from "./inspector-link.ts";
import type { ServerSettings } from "./server-settings.ts";

export interface RunningServer {
  readonly url: string;
  readonly token: string | null;
  readonly hasInspector: boolean;
}

/** What a person who just started a server needs: where it is, how to get in, what to try. */
export function serverBanner(
  { url, token, hasInspector }: RunningServer,
  settings: Pick<ServerSettings, "dataDir" | "ephemeral">,
): string {
  const header = token === null ? "" : ` -H ${shellQuote(`Authorization: Bearer ${token}`)}`;
  const lines = [
    "Sandbox Agent is running.",
    "",
    ...(hasInspector ? [`  Open       ${inspectorLink(url, token)}`] : []),
    `  URL        ${url}`,
    `  Token      ${token ?? "none: anybody who can reach this port is let in"}`,
    `  Sessions   ${settings.ephemeral ? "in memory only" : settings.dataDir}`,
    "",
    `  Try: curl${header} ${shellQuote(`${url}/v1/agents`)}`,
    "",
  ];
  return `${lines.join("\n")}\n`;
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i;

/** A warning for a server that strangers on the network can use. */
export function openServerWarning(host: string, token: string | null | undefined): string | undefined {
  if (token !== null || loopback.test(host)) return undefined;
  const lines = [
    `WARNING: this server listens on ${host} WITHOUT A TOKEN.`,
    "Everybody who can reach it can run commands on this machine. Leave out --no-token, or listen on 127.0.0.1.",
  ];
  const rule = "!".repeat(Math.max(...lines.map((line) => line.length)));
  return `${[rule, ...lines, rule].join("\n")}\n`;
}
