import type { TranscriptError, UniversalItem } from "@sandbox-agent-ts/protocol";

/** The use of a tool: its call, what came of it, and what a subagent did inside. One of the two may be missing. */
export interface ToolUse {
  readonly key: string;
  readonly call: UniversalItem | undefined;
  readonly result: UniversalItem | undefined;
  readonly inside: readonly Entry[];
}

/** A thing a reader sees in a conversation. */
export type Entry =
  | { readonly type: "message"; readonly key: string; readonly item: UniversalItem }
  | { readonly type: "status"; readonly key: string; readonly items: readonly UniversalItem[] }
  | { readonly type: "tools"; readonly key: string; readonly uses: readonly ToolUse[] }
  | { readonly type: "error"; readonly key: string; readonly error: TranscriptError };

/**
 * Items, in order, as a reader sees them: results beside their calls, calls in groups, subagents inside their call, and
 * errors where they happened. `errors` are in order, and `start` is where the items begin in the transcript.
 */
export function entriesOf(
  items: readonly UniversalItem[],
  errors: readonly TranscriptError[] = [],
  start = 0,
): Entry[] {
  const known = new Set(items.map(({ item_id }) => item_id));
  const isInside = (item: UniversalItem): boolean => item.parent_id != null && known.has(item.parent_id);
  const inside = groupByParent(items.filter(isInside));
  const outside = items.filter((item) => !isInside(item));
  if (errors.length === 0) return group(outside, inside);
  const places = new Map(items.map((item, at) => [item, start + at]));
  const pending = errors.slice();
  const entries: Entry[] = [];
  const addErrors = (before: number) => {
    while (pending[0] && pending[0].itemIndex <= before) entries.push(errorEntry(pending.shift()!));
  };
  group(outside, inside, entries, (item) => addErrors(places.get(item) ?? start));
  addErrors(Number.POSITIVE_INFINITY);
  return entries;
}

function errorEntry(error: TranscriptError): Entry {
  return { type: "error", key: `error-${error.sequence}`, error };
}

/** `onBegin` is called before something is added that began with the item. */
function group(
  items: readonly UniversalItem[],
  inside: ReadonlyMap<string, readonly UniversalItem[]>,
  entries: Entry[] = [],
  onBegin: (item: UniversalItem) => void = () => {},
): Entry[] {
  const results = new Map(items.filter(isResult).map((item) => [callIdOf(item), item]));
  const called = new Set(items.filter(isCall).map(callIdOf));
  for (const item of items) {
    if (isResult(item) && called.has(callIdOf(item))) continue;
    onBegin(item);
    if (isCall(item) || isResult(item)) {
      const children = inside.get(item.item_id) ?? [];
      addUse(entries, {
        key: item.item_id,
        call: isCall(item) ? item : undefined,
        result: isResult(item) ? item : results.get(callIdOf(item)),
        inside: children.length === 0 ? [] : group(children, inside),
      });
    } else if (item.kind === "status") addStatus(entries, item);
    else if (hasContent(item)) entries.push({ type: "message", key: item.item_id, item });
  }
  return entries;
}

function addUse(entries: Entry[], use: ToolUse): void {
  const last = entries.at(-1);
  if (last?.type === "tools") entries[entries.length - 1] = { ...last, uses: [...last.uses, use] };
  else entries.push({ type: "tools", key: use.key, uses: [use] });
}

function addStatus(entries: Entry[], item: UniversalItem): void {
  const last = entries.at(-1);
  if (last?.type === "status") entries[entries.length - 1] = { ...last, items: [...last.items, item] };
  else entries.push({ type: "status", key: item.item_id, items: [item] });
}

function isCall({ kind }: UniversalItem): boolean {
  return kind === "tool_call";
}

function isResult({ kind }: UniversalItem): boolean {
  return kind === "tool_result";
}

function callIdOf({ content, item_id }: UniversalItem): string {
  for (const part of content) {
    if (part.type === "tool_call" || part.type === "tool_result") return part.call_id;
  }
  return item_id;
}

/** A message that has begun and says nothing yet would only be a gap. What is no text is shown as unreadable. */
function hasContent({ content }: UniversalItem): boolean {
  return content.some(
    (part) => !(part.type === "text" || part.type === "reasoning") || String(part.text).trim() !== "",
  );
}

/** Do they show the same? Items keep their identity while they do not change. */
export function sameEntry(a: Entry, b: Entry): boolean {
  if (a.key !== b.key) return false;
  if (a.type === "message") return b.type === "message" && a.item === b.item;
  if (a.type === "error") return b.type === "error" && a.error === b.error;
  if (a.type === "status") return b.type === "status" && sameList(a.items, b.items, Object.is);
  return b.type === "tools" && sameList(a.uses, b.uses, sameUse);
}

function sameUse(a: ToolUse, b: ToolUse): boolean {
  return a.call === b.call && a.result === b.result && sameList(a.inside, b.inside, sameEntry);
}

function sameList<T>(a: readonly T[], b: readonly T[], isSame: (a: T, b: T) => boolean): boolean {
  return a.length === b.length && a.every((value, at) => isSame(value, b[at] as T));
}

function groupByParent(items: readonly UniversalItem[]): Map<string, UniversalItem[]> {
  const groups = new Map<string, UniversalItem[]>();
  for (const item of items) {
    const parent = item.parent_id ?? "";
    const group = groups.get(parent);
    if (group) group.push(item);
    else groups.set(parent, [item]);
  }
  return groups;
}
