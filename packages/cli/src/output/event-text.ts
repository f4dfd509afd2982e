import { describeToolCall, inputOf } from "@sandbox-agent-ts/protocol";
import type { ContentPart, UniversalEvent, UniversalItem } from "@sandbox-agent-ts/sdk";
import { costText, durationText, usageText } from "./number-text.ts";
import { permissionText, questionText, resolvedPermissionText, resolvedQuestionText } from "./request-text.ts";
import { type Paint, paintNothing, type Tone } from "./terminal.ts";
import { oneLine, shorten, withoutControls } from "./text-width.ts";

export interface EventTextOptions {
  readonly paint?: Paint;
  /** Lines that are not the agent's own text are cut to this width. */
  readonly columns?: number;
  /** Show what the user said; not needed where the user has just typed it. Default: true. */
  readonly showsPrompts?: boolean;
  /** Say under a request which command answers it; not needed where it is asked in place. Default: true. */
  readonly showsReplyCommands?: boolean;
}

type EventOf<T extends UniversalEvent["type"]> = Extract<UniversalEvent, { type: T }>;

/**
 * A session as text for a terminal: feed it the events in order and write what it returns. The agent's text appears as it
 * is streamed, a tool call is one line, a request says how to answer it. Pure: neither reads the clock nor writes.
 */
export class EventText {
  readonly #options: EventTextOptions;
  readonly #paint: Paint;
  /** Items that are being written, and how much of each was printed. */
  readonly #open = new Map<string, { item: UniversalItem; printed: number }>();
  readonly #announced = new Set<string>();
  /** The item whose text the last line belongs to; undefined when the next text begins a line. */
  #speaking: string | undefined;
  #isLineOpen = false;
  #turnStartedAt: number | undefined;

  constructor(options: EventTextOptions = {}) {
    this.#options = options;
    this.#paint = options.paint ?? paintNothing;
  }

  /** What to write for this event; often nothing. */
  text(event: UniversalEvent): string {
    switch (event.type) {
      case "session.started":
        return "";
      case "session.updated":
        return this.#line("dim", `Settings changed: ${changesText(event.data.changes)}.`);
      case "session.ended":
        return this.#sessionEnded(event);
      case "turn.started":
        this.#turnStartedAt = Date.parse(event.time);
        return "";
      case "turn.ended":
        return this.#turnEnded(event);
      case "item.started":
        return this.#itemStarted(event.data.item);
      case "item.delta":
        return this.#itemDelta(event);
      case "item.completed":
        return this.#itemCompleted(event.data.item);
      case "permission.requested":
        return this.#block("yellow", permissionText(event, this.#showsReplyCommands));
      case "permission.resolved":
        return this.#line(event.data.status === "approved" ? "green" : "red", resolvedPermissionText(event.data));
      case "question.requested":
        return this.#block("yellow", questionText(event, this.#showsReplyCommands));
      case "question.resolved":
        return this.#line("green", resolvedQuestionText(event.data));
      case "error":
        return this.#block("red", [`Error: ${event.data.message}`]);
      default:
        return "";
    }
  }

  get #showsReplyCommands(): boolean {
    return this.#options.showsReplyCommands ?? true;
  }

  #itemStarted(item: UniversalItem): string {
    this.#open.set(item.item_id, { item, printed: 0 });
    return isToolCall(item) && argumentsOf(item) !== "" ? this.#announce(item) : "";
  }

  #itemDelta({ data }: EventOf<"item.delta">): string {
    const open = this.#open.get(data.item_id);
    if (open === undefined || !isSpoken(open.item)) return "";
    const part = data.part ?? open.item.content.findLast(isProse)?.type ?? "text";
    if (part !== "text" && part !== "reasoning") return "";
    open.printed += data.delta.length;
    return this.#speak(open.item, data.delta, part === "reasoning" ? "dim" : undefined);
  }

  #itemCompleted(item: UniversalItem): string {
    const printed = this.#open.get(item.item_id)?.printed ?? 0;
    this.#open.delete(item.item_id);
    if (isToolCall(item)) return this.#announce(item);
    if (item.kind === "tool_result") return this.#toolResult(item);
    if (item.role === "user") return this.#prompt(item);
    if (isSpoken(item)) return this.#spoken(item, printed) + this.#endLine();
    return item.content.map((part) => this.#notice(part)).join("");
  }

  /** What its deltas did not print yet: all of it when there were none. */
  #spoken(item: UniversalItem, printed: number): string {
    let skipped = printed;
    return item.content
      .filter(isProse)
      .map((part) => {
        const rest = part.text.slice(skipped);
        skipped = Math.max(0, skipped - part.text.length);
        return rest === "" ? "" : this.#speak(item, rest, part.type === "reasoning" ? "dim" : undefined);
      })
      .join("");
  }

  #prompt(item: UniversalItem): string {
    if (this.#options.showsPrompts === false) return "";
    const text = item.content.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n");
    return this.#block(
      "cyan",
      text.split("\n").map((line) => `> ${line}`),
    );
  }

  /** One line per call, as soon as it is known what is called with. */
  #announce(item: UniversalItem): string {
    if (this.#announced.has(item.item_id)) return "";
    this.#announced.add(item.item_id);
    const call = item.content.find((part) => part.type === "tool_call");
    const summary = call === undefined ? "" : toolCallText(call);
    const mark = this.#paint("blue", "●");
    return `${this.#endLine()}${this.#indent(item)}${mark} ${this.#cut(summary, 4)}\n`;
  }

  /** A result that is what was expected says nothing, except which files it changed. */
  #toolResult(item: UniversalItem): string {
    const changes = item.content.flatMap((part) => (part.type === "file_ref" && part.action !== "read" ? part : []));
    const lines = changes.map(({ path, diff }) => this.#line("dim", `  ${path}${diffStat(diff)}`));
    if (item.status !== "failed") return lines.join("");
    const output = item.content.flatMap((part) => (part.type === "tool_result" ? part.output : [])).join("\n");
    const lastLine = output.trimEnd().split("\n").at(-1) ?? "";
    return [...lines, this.#line("red", `${this.#indent(item)}  ✗ ${lastLine.trim() || "failed"}`)].join("");
  }

  #notice(part: ContentPart): string {
    if (part.type !== "status") return "";
    return this.#line("dim", part.detail ? `${part.label}: ${part.detail}` : part.label);
  }

  #turnEnded({ data, time }: EventOf<"turn.ended">): string {
    const { reason, message, usage, cost } = data.metadata;
    if (reason === "error")
      return this.#block("red", [message ? `Error: ${message}` : "The turn ended with an error."]);
    if (reason === "interrupted") return this.#line("yellow", "Interrupted.");
    const duration = this.#turnStartedAt === undefined ? [] : [durationText(Date.parse(time) - this.#turnStartedAt)];
    const facts = [...duration, ...(usage ? [usageText(usage)] : []), ...(cost ? [costText(cost)] : [])];
    return this.#line("dim", facts.length === 0 ? "Done." : `Done: ${facts.join(", ")}.`);
  }

  #sessionEnded({ data }: EventOf<"session.ended">): string {
    const isFailure = data.reason === "error";
    return this.#block(isFailure ? "red" : "dim", [data.message ?? `The session has ended (${data.reason}).`]);
  }

  #speak(item: UniversalItem, text: string, tone: Tone | undefined): string {
    const before = this.#speaking === item.item_id ? "" : this.#endLine();
    const clean = withoutControls(text);
    const indented = item.parent_id ? clean.replaceAll("\n", "\n  ") : clean;
    const margin = before !== "" || !this.#isLineOpen ? this.#indent(item) : "";
    this.#speaking = item.item_id;
    this.#isLineOpen = !clean.endsWith("\n");
    return `${before}${margin}${tone === undefined ? indented : this.#paint(tone, indented)}`;
  }

  #line(tone: Tone, text: string): string {
    return `${this.#endLine()}${this.#paint(tone, this.#cut(text, 0))}\n`;
  }

  /** Lines that are shown whole. */
  #block(tone: Tone, lines: readonly string[]): string {
    return this.#endLine() + lines.map((line) => `${this.#paint(tone, oneLine(line))}\n`).join("");
  }

  #endLine(): string {
    const end = this.#isLineOpen ? "\n" : "";
    this.#isLineOpen = false;
    this.#speaking = undefined;
    return end;
  }

  #indent(item: UniversalItem): string {
    return item.parent_id ? "  " : "";
  }

  #cut(text: string, taken: number): string {
    return shorten(oneLine(text), (this.#options.columns ?? Number.POSITIVE_INFINITY) - taken);
  }
}

const isToolCall = (item: UniversalItem): boolean => item.kind === "tool_call";
const isSpoken = (item: UniversalItem): boolean => item.kind === "message" && item.role !== "user";

function isProse(part: ContentPart): part is Extract<ContentPart, { type: "text" | "reasoning" }> {
  return part.type === "text" || part.type === "reasoning";
}

function argumentsOf(item: UniversalItem): string {
  return item.content.flatMap((part) => (part.type === "tool_call" ? part.arguments : [])).join("");
}

/** A tool call in a few words: `Bash ls -la`. What has no telling field is shown with all its arguments. */
function toolCallText({ name, arguments: json }: Extract<ContentPart, { type: "tool_call" }>): string {
  const { subject } = describeToolCall(name, json);
  if (subject !== "") return `${name} ${subject}`;
  const input = inputOf(json);
  return Object.keys(input).length === 0 ? name : `${name} ${JSON.stringify(input)}`;
}

/** Settings that are one word are told with it. */
function changesText(changes: Readonly<Record<string, unknown>>): string {
  const named = Object.entries(changes).map(([name, value]) => {
    const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return typeof value === "string" || typeof value === "number" ? `${words} ${value}` : words;
  });
  return named.join(", ");
}

function diffStat(diff: string | null | undefined): string {
  if (!diff) return "";
  const count = (sign: string): number =>
    diff.split("\n").filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3))).length;
  return ` (+${count("+")} −${count("-")})`;
}
