import type { ContentPart, UniversalEvent, UniversalItem } from "@sandbox-agent-ts/protocol";
import { inputOf, takenName } from "../../transcripts/foreign-call.ts";
import type { TranscriptAbout, TranscriptFile } from "../../transcripts/transcript-dialect.ts";
import { program } from "./program.ts";

/** A conversation must have a model; one of this provider goes on with the model that is the default then. */
const RESTORED_MODEL = { providerID: "sandbox-agent", modelID: "restored" };

const UNANSWERED = "The call was not answered.";
const AGENT = "build";

interface Message {
  readonly info: Readonly<Record<string, unknown>> & { readonly id: string; readonly role: string };
  readonly parts: object[];
}

/**
 * A conversation that happened elsewhere, with any agent → a file for `opencode import`. Pure.
 *
 * Told are the words of both sides and the main conversation's tool calls with their results. Left out are reasoning, which
 * the model service takes only from itself, what subagents did (their call has their result), and states.
 */
export function writeTranscript(events: readonly UniversalEvent[], about: TranscriptAbout): TranscriptFile {
  const items = events.flatMap((event) => (event.type === "item.completed" ? [event.data.item] : []));
  const told = items.filter(({ parent_id }) => !parent_id);
  const writer = new MessageWriter(about, resultsOf(told));
  for (const item of told) writer.take(item);
  const { nativeSessionId } = about;
  const text = JSON.stringify({ info: sessionInfo(about), messages: writer.messages });
  return { path: `import/${nativeSessionId}.json`, text: `${text}\n` };
}

function sessionInfo({ nativeSessionId, directory, time }: TranscriptAbout): object {
  const at = Date.parse(time);
  return {
    id: nativeSessionId,
    slug: "restored",
    projectID: "global",
    directory,
    title: "Restored conversation",
    version: program.version,
    model: { id: RESTORED_MODEL.modelID, providerID: RESTORED_MODEL.providerID },
    time: { created: at, updated: at },
  };
}

/** One message of the user each, and one of the assistant for each step: its words, then its tools. */
class MessageWriter {
  readonly messages: Message[] = [];
  readonly #about: TranscriptAbout;
  readonly #results: ReadonlyMap<string, ToolResult>;
  #count = 0;
  #lastUser = "";
  #hasTools = false;

  constructor(about: TranscriptAbout, results: ReadonlyMap<string, ToolResult>) {
    this.#about = about;
    this.#results = results;
  }

  take(item: UniversalItem): void {
    for (const part of item.content) {
      if (part.type === "text" && item.kind === "message" && part.text.trim() !== "") {
        this.#say(item.role === "user" ? "user" : "assistant", part.text);
      } else if (part.type === "tool_call") {
        this.#call(part);
      }
    }
  }

  #say(role: "user" | "assistant", text: string): void {
    const message = role === "user" ? this.#addUser() : this.#assistant(this.#hasTools);
    message.parts.push({ ...this.#partInfo(message), type: "text", text });
  }

  #call({ name, arguments: input, call_id }: Extract<ContentPart, { type: "tool_call" }>): void {
    const message = this.#assistant(false);
    this.#hasTools = true;
    const at = Date.parse(this.#about.time);
    const { output, failed } = this.#results.get(call_id) ?? { output: UNANSWERED, failed: true };
    const common = { input: inputOf(input), time: { start: at, end: at } };
    const state = failed
      ? { status: "error", error: output, ...common }
      : { status: "completed", output, title: "", metadata: {}, ...common };
    message.parts.push({ ...this.#partInfo(message), type: "tool", tool: takenName(name), callID: call_id, state });
  }

  #addUser(): Message {
    const id = this.#nextId("msg");
    this.#lastUser = id;
    return this.#add({ id, role: "user", agent: AGENT, model: RESTORED_MODEL, time: { created: this.#at } });
  }

  #assistant(isNext: boolean): Message {
    const last = this.messages.at(-1);
    if (last?.info.role === "assistant" && !isNext) return last;
    this.#hasTools = false;
    const { directory } = this.#about;
    return this.#add({
      id: this.#nextId("msg"),
      role: "assistant",
      parentID: this.#lastUser,
      ...RESTORED_MODEL,
      mode: AGENT,
      agent: AGENT,
      path: { cwd: directory, root: directory },
      cost: 0,
      tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
      finish: "stop",
      time: { created: this.#at, completed: this.#at },
    });
  }

  #add(info: Message["info"]): Message {
    const message = { info: { ...info, sessionID: this.#about.nativeSessionId }, parts: [] };
    this.messages.push(message);
    return message;
  }

  get #at(): number {
    return Date.parse(this.#about.time);
  }

  #partInfo({ info }: Message): object {
    return { id: this.#nextId("prt"), sessionID: this.#about.nativeSessionId, messageID: info.id };
  }

  /** Ids are in the order of time, and OpenCode goes by that order: these come before any that it makes itself. */
  #nextId(kind: string): string {
    this.#count += 1;
    const order = this.#count.toString(16).padStart(12, "0");
    return `${kind}_${order}${this.#about.nextUuid().replaceAll("-", "").slice(-14).padStart(14, "0")}`;
  }
}

interface ToolResult {
  readonly output: string;
  readonly failed: boolean;
}

function resultsOf(items: readonly UniversalItem[]): ReadonlyMap<string, ToolResult> {
  const results = items.flatMap(({ content, status }) =>
    content.flatMap((part) =>
      part.type === "tool_result"
        ? [[part.call_id, { output: part.output, failed: status === "failed" }] as const]
        : [],
    ),
  );
  return new Map(results);
}
