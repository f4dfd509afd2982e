import type { ItemTold, UniversalItem } from "@sandbox-agent-ts/protocol";
import { readFileList } from "../../attachments/file-list.ts";
import type { JsonRpcCall } from "../../json-rpc/json-rpc-message.ts";
import { completedOf, timeOf, toldItems } from "../../transcripts/told-items.ts";
import type { ParseOptions } from "../../transcripts/transcript-dialect.ts";
import { type CodexState, createCodexState } from "./convert/codex-state.ts";
import { convertCalls } from "./convert.ts";
import type { CodexParams } from "./dialect.ts";
import { restoredItem } from "./restored-items.ts";
import { type RolloutItem, streamItem, userImages, userText } from "./rollout-item.ts";

interface RolloutLine {
  readonly timestamp?: string;
  readonly type?: string;
  readonly payload?: RolloutPayload;
}

interface RolloutPayload {
  readonly type?: string;
  readonly id?: string;
  readonly cwd?: string;
  readonly turn_id?: string;
  readonly item?: RolloutItem;
  readonly name?: string;
  readonly arguments?: string;
  readonly call_id?: string;
  readonly output?: unknown;
  readonly role?: string;
  readonly content?: unknown;
}

/**
 * A conversation on disk (`sessions/…/rollout-*.jsonl`) → what its stream would have told, the user's own messages among
 * it, and what it was restored with before. Pure. What only a running program says (retries, requests) is not there; what
 * its subagents did is in rollouts of their own, the `companions`.
 */
export function readTranscript(rollout: string, options: ParseOptions = {}): ItemTold[] {
  const main = readRollout(rollout);
  return new RolloutReader(main, options).read(main);
}

interface Rollout {
  readonly threadId: string;
  readonly directory: string | undefined;
  readonly lines: readonly RolloutLine[];
}

function readRollout(text: string): Rollout {
  const lines = readLines(text);
  const meta = lines.find(({ type }) => type === "session_meta")?.payload;
  return { threadId: meta?.id ?? "", directory: meta?.cwd, lines };
}

class RolloutReader {
  readonly #main: string;
  readonly #itemPrefix: string;
  /** Those that nobody has started yet, by their threads. */
  readonly #subagents: Map<string, Rollout>;
  #state: CodexState;

  constructor({ threadId, directory = "/" }: Rollout, options: ParseOptions) {
    const { itemPrefix = "item-", imagesDir = "images", companions = [] } = options;
    const calls = { directory, mcpServers: [] };
    this.#main = threadId;
    this.#itemPrefix = itemPrefix;
    this.#subagents = new Map(companions.map(({ text }) => readRollout(text)).map((read) => [read.threadId, read]));
    this.#subagents.delete(threadId);
    this.#state = { ...createCodexState({ itemPrefix, imagesDir, calls, permissionMode: "default" }), threadId };
  }

  read(rollout: Rollout): ItemTold[] {
    const commands = commandsOf(rollout.lines);
    const firstTurn = rollout.lines.findIndex(({ type }) => type === "event_msg");
    return rollout.lines.flatMap((line, at) => {
      const time = timeOf(line.timestamp);
      const isRestored = line.type === "response_item" && (firstTurn < 0 || at < firstTurn);
      const item = rollout.threadId === this.#main ? this.#ownItem(line, isRestored) : undefined;
      if (item) return [{ type: "item.completed" as const, data: { item }, time }];
      if (isRestored) return [];
      return [...this.#convert(line, rollout, commands), ...this.#startedSubagents()].map((told) => ({
        ...told,
        time: told.time ?? time,
      }));
    });
  }

  /** What no stream tells: the user's words, and what was said before the rollout began. */
  #ownItem({ type, payload = {} }: RolloutLine, isRestored: boolean): UniversalItem | undefined {
    const itemId = `${this.#itemPrefix}${this.#state.itemCount + 1}`;
    const said = type === "event_msg" && payload.item?.type === "UserMessage" ? payload.item : undefined;
    const item = said ? userMessage(itemId, said) : isRestored ? restoredItem(payload, itemId) : undefined;
    if (item) this.#state = { ...this.#state, itemCount: this.#state.itemCount + 1 };
    return item;
  }

  #convert({ type, payload = {} }: RolloutLine, { threadId, directory }: Rollout, commands: Commands): ItemTold[] {
    if (type === undefined) return [];
    const call = streamCall(type, rejectedCommand(payload, commands, directory) ?? payload, threadId);
    if (!call) return [];
    const converted = convertCalls(this.#state, [call]);
    this.#state = { ...converted.state, threadId: this.#main };
    return toldItems(converted.drafts, null);
  }

  #startedSubagents(): ItemTold[] {
    return [...this.#state.parents.keys()].flatMap((threadId) => {
      const rollout = this.#subagents.get(threadId);
      this.#subagents.delete(threadId);
      return rollout ? this.read(rollout) : [];
    });
  }
}

export function parseTranscript(rollout: string, options: ParseOptions = {}): UniversalItem[] {
  return completedOf(readTranscript(rollout, options));
}

type Commands = ReadonlyMap<string, Record<string, unknown>>;

/** The commands that the model wanted to run, by their calls. */
function commandsOf(lines: readonly RolloutLine[]): Commands {
  const calls = lines.flatMap(({ payload }) => (payload?.name === "exec_command" ? [payload] : []));
  return new Map(
    calls.map((call) => [call.call_id ?? "", parseObject(call.arguments ?? "{}") as Record<string, unknown>]),
  );
}

/** A command that a person rejected has no item of its own, only the answer that the model got. */
function rejectedCommand(
  { type, call_id = "", output }: RolloutPayload,
  commands: Commands,
  directory: string | undefined,
): RolloutPayload | undefined {
  const command = commands.get(call_id);
  const isRejected = type === "function_call_output" && /rejected by user/.test(JSON.stringify(output ?? ""));
  if (!command || !isRejected) return undefined;
  const { cmd, workdir } = command;
  const cwd = typeof workdir === "string" ? workdir : (directory ?? "/");
  const item = { type: "CommandExecution", id: call_id, command: ["sh", "-c", String(cmd)], cwd, status: "declined" };
  return { type: "item_completed", item };
}

/** The notification that told the same while the program ran. */
function streamCall(type: string, payload: RolloutPayload, threadId: string): JsonRpcCall | undefined {
  const params = streamParams(type, payload);
  return params && { ...params, params: { ...params.params, threadId }, raw: "" };
}

function streamParams(type: string, payload: RolloutPayload): { method: string; params: CodexParams } | undefined {
  if (payload.type === "item_completed" && payload.item) {
    return { method: "item/completed", params: { item: streamItem(payload.item) } };
  }
  if (type === "response_item" && payload.type === "function_call" && payload.name === "update_plan") {
    return { method: "turn/plan/updated", params: planParams(payload.arguments ?? "{}") };
  }
  return undefined;
}

function planParams(json: string): CodexParams {
  const { explanation, plan = [] } = parseObject(json) as {
    explanation?: string;
    plan?: { step?: string; status?: string }[];
  };
  const steps = plan.map((entry) => ({
    ...entry,
    status: entry.status === "in_progress" ? "inProgress" : entry.status,
  }));
  return { ...(explanation ? { explanation } : {}), plan: steps as NonNullable<CodexParams["plan"]> };
}

function userMessage(itemId: string, item: RolloutItem): UniversalItem {
  return {
    item_id: itemId,
    ...(typeof item.id === "string" ? { native_item_id: item.id } : {}),
    kind: "message",
    role: "user",
    status: "completed",
    content: [...readFileList(userText(item)), ...userImages(item)],
  };
}

/** A line that was being written when the program was killed says nothing. */
function readLines(rollout: string): RolloutLine[] {
  return rollout.split("\n").map(parseObject);
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}
