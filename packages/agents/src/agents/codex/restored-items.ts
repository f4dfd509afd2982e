import type { ContentPart, UniversalItem } from "@sandbox-agent-ts/protocol";

/** What the model was told, as `writeTranscript` writes it. */
export interface ResponseItem {
  readonly type?: string;
  readonly role?: string;
  readonly content?: unknown;
  readonly name?: string;
  readonly arguments?: string;
  readonly call_id?: string;
  readonly output?: unknown;
}

/** What happened elsewhere, of which a rollout has only what the model is told. */
export function restoredItem(told: ResponseItem, item_id: string): UniversalItem | undefined {
  const { type, role, content, name = "tool", arguments: json = "{}", call_id = "", output } = told;
  switch (type) {
    case "message": {
      const text = textsOf(content).join("");
      const speaker = role === "user" ? "user" : "assistant";
      if (text === "" || (role !== "user" && role !== "assistant")) return undefined;
      return completed({ item_id, kind: "message", role: speaker, content: [{ type: "text", text }] });
    }
    case "function_call": {
      const part: ContentPart = { type: "tool_call", name, arguments: json, call_id };
      return completed({ item_id, native_item_id: call_id, kind: "tool_call", role: "assistant", content: [part] });
    }
    case "function_call_output": {
      const part: ContentPart = { type: "tool_result", call_id, output: typeof output === "string" ? output : "" };
      return completed({ item_id, native_item_id: call_id, kind: "tool_result", role: "tool", content: [part] });
    }
    default:
      return undefined;
  }
}

function completed(item: Omit<UniversalItem, "status">): UniversalItem {
  return { ...item, status: "completed" };
}

function textsOf(content: unknown): string[] {
  const parts = Array.isArray(content) ? (content as { text?: unknown }[]) : [];
  return parts.flatMap((part) => (typeof part?.text === "string" ? [part.text] : []));
}
