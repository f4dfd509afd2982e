import type { LoggedRequest } from "./request-log.ts";

const TOKEN_VARIABLE = "$SANDBOX_AGENT_TOKEN";
const streamType = "text/event-stream";

/** The call as a command for a shell. Without the token it takes it from the environment, so that it can be shown around. */
export function curlCommand(request: LoggedRequest, { withToken }: { withToken: boolean }): string {
  const { method, url, headers, body } = request;
  const words = ["curl"];
  if (headers.accept === streamType) words.push("--no-buffer");
  if (method !== "GET") words.push("-X", method);
  words.push(quote(url));
  for (const [name, value] of Object.entries(headers)) words.push("-H", headerWord(name, value, withToken));
  if (body === "binary") words.push("--data-binary", "@FILE");
  else if (body !== undefined) words.push("--data-raw", quote(body.text));
  return words.join(" ");
}

function headerWord(name: string, value: string, withToken: boolean): string {
  const isSecret = name === "authorization" || name === "x-sandbox-token";
  if (!isSecret || withToken) return quote(`${name}: ${value}`);
  const scheme = name === "authorization" ? `${value.split(" ", 1)[0]} ` : "";
  return `"${name}: ${scheme}${TOKEN_VARIABLE}"`;
}

/** As one word for a shell, whatever is in it. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
