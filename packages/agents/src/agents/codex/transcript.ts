import type { UniversalItem } from "@sandbox-agent-ts/protocol";
import { readFileList } from "../../attachments/file-list.ts";
import type { JsonRpcCall } from "../../json-rpc/json-rpc-message.ts";
import type { ParseOptions } from "../../transcripts/transcript-dialect.ts";
import { createCodexState } from "./convert/codex-state.ts";
import { convertCalls } from "./convert.ts";
import type { CodexParams } from "./dialect.ts";
import { type RolloutItem, streamItem, userImages, userText } from "./rollout-item.ts";

interface RolloutLine {
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
}

/**
 * A conversation on disk (`sessions/…/rollout-*.jsonl`) → the items its stream would have told, the user's own messages
 * among them. Pure. What only a running program says (retries, requests) is not there; what a subagent did is in a
 * rollout of its own.
 */
export function parseTranscript(rollout: string, options: ParseOptions = {}): UniversalItem[] {
  const lines = readLines(rollout);
  const meta = lines.find(({ type }) => type === "session_meta")?.payload;
  const threadId = meta?.id ?? "";
  const { itemPrefix = "item-", imagesDir = "images" } = options;
  const setting = {
    itemPrefix,
    imagesDir,
    calls: { directory: meta?.cwd ?? "/", mcpServers: [] },
    permissionMode: "default",
  } as const;
  const commands = commandsOf(lines);
  let state = { ...createCodexState(setting), threadId };
  return lines.flatMap(({ type, payload = {} }) => {
    const said = type === "event_msg" && payload.item?.type === "UserMessage" ? payload.item : undefined;
    if (said) {
      state = { ...state, itemCount: state.itemCount + 1 };
      return [userMessage(`${itemPrefix}${state.itemCount}`, said)];
    }
    const call =
      type === undefined
        ? undefined
        : streamCall(type, rejectedCommand(payload, commands, meta?.cwd) ?? payload, threadId);
    if (!call) return [];
    const converted = convertCalls(state, [call]);
    state = { ...converted.state, threadId };
    return converted.drafts.flatMap((draft) => (draft.type === "item.completed" ? [draft.data.item] : []));
  });
}

/** The commands that the model wanted to run, by their calls. */
function commandsOf(lines: readonly RolloutLine[]): ReadonlyMap<string, Record<string, unknown>> {
  const calls = lines.flatMap(({ payload }) => (payload?.name === "exec_command" ? [payload] : []));
  return new Map(
    calls.map((call) => [call.call_id ?? "", parseObject(call.arguments ?? "{}") as Record<string, unknown>]),
  );
}

/** A command that a person rejected has no item of its own, only the answer that the model got. */
function rejectedCommand(
  { type, call_id = "", output }: RolloutPayload,
  commands: ReadonlyMap<string, Record<string, unknown>>,
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
