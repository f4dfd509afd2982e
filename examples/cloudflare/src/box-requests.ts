import { BoxError, type BoxQuery, type NewBox, refusals } from "./boxes.ts";

const maxBodyBytes = 1024 * 1024;
const maxLabels = 32;
const maxLabelChars = 1024;
const maxVariables = 256;
const maxEnvChars = 128 * 1024;
const minIdleMs = 1_000;
const maxIdleMs = 24 * 60 * 60_000;
const defaultIdleMs = 10 * 60_000;
const maxPage = 200;
const maxLogBytes = 1024 * 1024;

export function boxId(text: string): string {
  if (/^[a-z0-9][a-z0-9-]{0,62}$/.test(text)) return text;
  throw wrong(`"${text.slice(0, 80)}" cannot be the id of a box: small letters, digits and -, at most 63.`);
}

export async function newBox(request: Request): Promise<NewBox> {
  const { labels = {}, env = {}, idleMs = defaultIdleMs, network = "on" } = await jsonOf(request);
  if (network !== "on" && network !== "off") throw wrong('network is "on" or "off".');
  return { labels: labelsOf(labels), env: envOf(env), idleMs: durationOf("idleMs", idleMs), network };
}

export async function keepMs(request: Request): Promise<number> {
  return durationOf("ms", (await jsonOf(request)).ms);
}

/** `?label=key:value&after=id&limit=100`; keys have no colon. */
export function boxQuery(query: URLSearchParams): BoxQuery {
  const label = query.get("label");
  const colon = label?.indexOf(":") ?? -1;
  if (label !== null && colon < 1) throw wrong("label is key:value.");
  const limit = wholeNumber("limit", query.get("limit") ?? String(maxPage), 1, maxPage);
  const found = label === null ? undefined : { key: label.slice(0, colon), value: label.slice(colon + 1) };
  return { label: found, after: query.get("after") ?? "", limit };
}

export function logBytes(query: URLSearchParams): number {
  return wholeNumber("bytes", query.get("bytes") ?? String(maxLogBytes), 0, maxLogBytes);
}

export function fileToWrite(query: URLSearchParams): { readonly path: string; readonly mode: number } {
  const path = query.get("path") ?? "";
  const mode = query.get("mode") ?? "644";
  if (!path.startsWith("/") || path.includes("\0")) throw wrong("path is an absolute path.");
  if (!/^[0-7]{3}$/.test(mode)) throw wrong("mode is three octal digits, e.g. 644.");
  return { path, mode: Number.parseInt(mode, 8) };
}

export function portOf(text: string): number {
  return wholeNumber("The port", text, 1, 65_535);
}

async function jsonOf(request: Request): Promise<Record<string, unknown>> {
  const body = JSON.parse(await textOf(request)) as unknown;
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  throw wrong("The body is a JSON object.");
}

async function textOf({ body }: Request): Promise<string> {
  if (body === null) return "{}";
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = "";
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return (text + decoder.decode()).trim() || "{}";
    bytes += (value as Uint8Array).length;
    if (bytes > maxBodyBytes)
      throw new BoxError({ ...refusals.wrong(`The body is longer than ${maxBodyBytes} bytes.`), status: 413 });
    text += decoder.decode(value as Uint8Array, { stream: true });
  }
}

function labelsOf(labels: unknown): Readonly<Record<string, string>> {
  if (!isTextMap(labels)) throw wrong('labels is { "key": "text" }.');
  const keys = Object.keys(labels);
  if (keys.length > maxLabels) throw wrong(`A box has at most ${maxLabels} labels, not ${keys.length}.`);
  for (const key of keys) {
    if (!/^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$/.test(key))
      throw wrong(`"${key.slice(0, 80)}" cannot be a label's key: letters, digits and . _ / -, at most 63.`);
    if (labels[key]!.length > maxLabelChars)
      throw wrong(`The label "${key}" has ${labels[key]!.length} characters; at most ${maxLabelChars} are kept.`);
  }
  return labels;
}

function envOf(env: unknown): Readonly<Record<string, string>> {
  if (!isTextMap(env)) throw wrong('env is { "NAME": "text" }.');
  const names = Object.keys(env);
  const odd = names.find((name) => !/^[A-Za-z_]\w*$/.test(name));
  if (odd !== undefined) throw wrong(`"${odd.slice(0, 80)}" cannot be the name of an environment variable.`);
  const odder = names.find((name) => env[name]!.includes("\0"));
  if (odder !== undefined) throw wrong(`The environment variable ${odder} has a zero byte in it.`);
  if (names.length > maxVariables || lengthOf(Object.entries(env).flat()) > maxEnvChars)
    throw wrong(`env has at most ${maxVariables} variables with ${maxEnvChars} characters together.`);
  return env;
}

function durationOf(name: string, ms: unknown): number {
  if (typeof ms === "number" && ms >= minIdleMs && ms <= maxIdleMs) return Math.round(ms);
  throw wrong(`${name} is a number of milliseconds from ${minIdleMs} to ${maxIdleMs}, not ${JSON.stringify(ms)}.`);
}

function wholeNumber(name: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  throw wrong(`${name} is a whole number from ${least} to ${most}.`);
}

const lengthOf = (texts: readonly string[]) => texts.reduce((sum, text) => sum + text.length, 0);

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === "string");

const isTextMap = (value: unknown): value is Record<string, string> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && isTexts(Object.values(value));

const wrong = (message: string) => new BoxError(refusals.wrong(message));
