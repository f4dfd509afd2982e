/** A JSON object of an API whose shape we do not rely on. */
export type Json = Readonly<Record<string, unknown>>;

export function object(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

export function objects(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(object) : [];
}

export function string(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** The value of a JSON text, or the text itself where it is none. */
export function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const dataUrl = /^data:([^;,]+)?(?:;[^,]*)?,(.*)$/s;

/** An image given by URL; a `data:` URL holds it. */
export function imageOf(url: string): { mime: string | undefined; data: string | undefined; url: string | undefined } {
  const match = dataUrl.exec(url);
  return match ? { mime: match[1], data: match[2], url: undefined } : { mime: undefined, data: undefined, url };
}
