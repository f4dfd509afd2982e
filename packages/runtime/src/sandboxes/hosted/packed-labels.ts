import { createHash } from "node:crypto";
import { SandboxProviderError } from "../sandbox-provider.ts";

export type Labels = Readonly<Record<string, string>>;

/** What a service takes of labels: how many, and how long their values may be. */
export interface LabelSpace {
  readonly count: number;
  readonly valueChars: number;
}

const textKey = (index: number) => `sandbox-agent-${index}`;
const listKey = (key: string) => `sandbox-agent-${hashOf(key, 8)}`;
const version = "1";

/**
 * Labels for a service that takes few, short or plain ones: their text in base64url, in as many values as it needs, and for
 * each label that there is still room for, in their order, one to list by. All keys and values are of [A-Za-z0-9_-].
 */
export function packLabels(labels: Labels, { count, valueChars }: LabelSpace): Record<string, string> {
  const text = version + Buffer.from(JSON.stringify(Object.entries(labels))).toString("base64url");
  const parts = text.match(new RegExp(`.{1,${valueChars}}`, "g")) ?? [];
  if (parts.length + 1 > count) {
    const most = (count - 1) * valueChars;
    const detail = `Its labels are ${text.length} characters long; the service has room for ${most}. Use fewer or shorter ones.`;
    throw new SandboxProviderError("failed", detail);
  }
  const packed = parts.map((part, index) => [textKey(index), part]);
  const listable = Object.entries(labels)
    .slice(0, count - parts.length)
    .map(([key, value]) => listableLabel({ key, value }, valueChars))
    .map(({ key, value }) => [key, value]);
  return Object.fromEntries([...packed, ...listable]) as Record<string, string>;
}

/** The labels that `packLabels` was given; undefined where others made these. */
export function unpackLabels(packed: Labels): Record<string, string> | undefined {
  let text = "";
  for (let index = 0; Object.hasOwn(packed, textKey(index)); index += 1) text += packed[textKey(index)];
  if (!text.startsWith(version)) return undefined;
  try {
    const entries: unknown = JSON.parse(Buffer.from(text.slice(1), "base64url").toString());
    return isEntries(entries) ? Object.fromEntries(entries) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * What to list by to find all that have this label. Only the first labels of a machine have room for one, which is why the
 * runtime's own is the first; whoever lists looks into what `unpackLabels` answers, too.
 */
export function listableLabel(
  { key, value }: { readonly key: string; readonly value: string },
  valueChars = 40,
): { readonly key: string; readonly value: string } {
  return { key: listKey(key), value: hashOf(`${key}\0${value}`, Math.min(40, valueChars)) };
}

const hashOf = (text: string, length: number) => createHash("sha256").update(text).digest("hex").slice(0, length);

function isEntries(value: unknown): value is [string, string][] {
  const isText = (part: unknown) => typeof part === "string";
  return (
    Array.isArray(value) && value.every((entry) => Array.isArray(entry) && entry.length === 2 && entry.every(isText))
  );
}
