import {
  type ModelMessage,
  type ModelRequest,
  modelMessage,
  type RequestImage,
  type RequestToolResult,
} from "../conversation/model-request.ts";
import { type Json, object, objects, string } from "../dialects/json.ts";
import type { AmpMessage } from "./amp-message.ts";

/** All that the service knows of a thread when it asks the model. */
export interface ThreadView {
  readonly agentMode: string;
  readonly messages: readonly AmpMessage[];
  /** What the program told of the machine, by the name of the message: environment, guidance (AGENTS.md), skills. */
  readonly context: Readonly<Record<string, unknown>>;
  readonly tools: readonly Json[];
}

/** Amp's service chooses the model by the mode, so the mode stands for its name. */
export function readThread({ agentMode, messages, context, tools }: ThreadView): ModelRequest {
  return {
    model: agentMode,
    stream: true,
    system: Object.entries(context)
      .map(([name, told]) => `${name}: ${JSON.stringify(told)}`)
      .join("\n"),
    messages: messages.map(readMessage),
    tools: tools.map(({ name }) => string(name)),
  };
}

function readMessage({ role, content }: AmpMessage): ModelMessage {
  const ofType = (type: string): Json[] => content.filter((block) => block.type === type);
  return modelMessage(role, {
    texts: ofType("text").map(({ text }) => string(text)),
    reasoning: ofType("thinking")
      .map(({ thinking }) => string(thinking))
      .join(""),
    images: content.flatMap(imageOf),
    toolCalls: ofType("tool_use").map(({ id, name, input }) => ({ id: string(id), name: string(name), input })),
    toolResults: ofType("tool_result").map(readResult),
  });
}

function readResult({ toolUseID, run }: Json): RequestToolResult {
  const { status, result, error, reason } = object(run);
  const said = result ?? object(error).message ?? error ?? reason ?? status;
  return {
    id: string(toolUseID),
    text: typeof said === "string" ? said : JSON.stringify(said),
    isError: status !== "done",
    images: objects(result).flatMap(imageOf),
  };
}

/** Images of the user have a `source`; those of MCP tools hold their data themselves. */
function imageOf(block: Json): RequestImage[] {
  if (block.type !== "image") return [];
  const source = object(block.source);
  const part = (...values: unknown[]): string | undefined =>
    values.find((value) => typeof value === "string") as string;
  return [
    {
      mime: part(source.mediaType, block.mimeType),
      data: part(source.data, block.data),
      url: part(source.url),
    },
  ];
}
