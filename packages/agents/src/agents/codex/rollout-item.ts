import type { UniversalItem } from "@sandbox-agent-ts/protocol";
import { imageMime } from "../../images/image-mime.ts";
import { plainPath } from "./convert/plain-path.ts";
import type { CodexFileChange, CodexItem } from "./dialect.ts";

/** An item as it stands in a rollout: the same as in the stream, in another spelling. */
export type RolloutItem = Readonly<Record<string, unknown>>;

/** As the stream would have spelled it. */
export function streamItem(rollout: RolloutItem): CodexItem {
  const item = Object.fromEntries(Object.entries(rollout).map(([key, value]) => [camelCase(key), value]));
  const type = firstLower(String(rollout.type ?? ""));
  return { ...item, type, ...(special[type]?.(rollout) ?? {}) } as CodexItem;
}

const special: Readonly<Record<string, (item: RolloutItem) => Partial<CodexItem>>> = {
  agentMessage: ({ content }) => ({ text: texts(content).join("") }),
  reasoning: ({ summary_text, raw_content }) => ({ summary: strings(summary_text), content: strings(raw_content) }),
  commandExecution: ({ command, cwd, duration }) => ({
    command: shownCommand(command),
    cwd: plainPath(cwd),
    durationMs: milliseconds(duration),
  }),
  fileChange: ({ changes }) => ({ changes: fileChanges(changes) }),
  collabAgentToolCall: ({ tool, agents_states }) => ({
    ...(typeof tool === "string" ? { tool: camelCase(tool) } : {}),
    ...(agents_states === undefined ? {} : { agentsStates: agentStates(agents_states) }),
  }),
  imageView: ({ path }) => ({ path: plainPath(path) }),
};

/** What the user wrote. */
export function userText({ content }: RolloutItem): string {
  return texts(content).join("\n");
}

/** The images that the user attached, by where they lie. */
export function userImages({ content }: RolloutItem): UniversalItem["content"] {
  const parts = Array.isArray(content) ? (content as { type?: string; path?: string }[]) : [];
  return parts.flatMap(({ type, path }) => {
    const mime = path === undefined ? undefined : imageMime(path);
    return /^local_?image$/i.test(type ?? "") && path && mime ? [{ type: "image" as const, path, mime }] : [];
  });
}

function shownCommand(command: unknown): string {
  const words = strings(command);
  const isScript = words.length === 3 && /^-l?c$/.test(words[1]!);
  return isScript ? words[2]! : words.join(" ");
}

function fileChanges(changes: unknown): CodexFileChange[] {
  return Object.entries((changes ?? {}) as Record<string, Record<string, string | null>>).map(([path, change]) => ({
    path,
    kind: { type: change.type ?? "update", ...(change.move_path ? { move_path: change.move_path } : {}) },
    diff: change.unified_diff ?? change.content ?? "",
  }));
}

/** `"running"`, or `{ "completed": "what it said" }`. */
function agentStates(states: unknown): object {
  return Object.fromEntries(
    Object.entries((states ?? {}) as Record<string, unknown>).map(([thread, state]) => {
      const [name = "", message] = typeof state === "string" ? [state] : (Object.entries(state ?? {})[0] ?? []);
      return [thread, { status: camelCase(name), message: typeof message === "string" ? message : null }];
    }),
  );
}

function milliseconds(duration: unknown): number | null {
  const { secs, nanos } = (duration ?? {}) as { secs?: number; nanos?: number };
  return secs === undefined ? null : secs * 1000 + Math.floor((nanos ?? 0) / 1_000_000);
}

function texts(content: unknown): string[] {
  const parts = Array.isArray(content) ? (content as { type?: string; text?: string }[]) : [];
  return parts.flatMap(({ type, text }) => (type?.toLowerCase() === "text" && text !== undefined ? [text] : []));
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function camelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function firstLower(word: string): string {
  return word.charAt(0).toLowerCase() + word.slice(1);
}
