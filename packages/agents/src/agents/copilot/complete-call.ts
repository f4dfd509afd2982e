import { resolve } from "node:path";
import type { AcpPlace } from "../../acp/acp-agent.ts";
import type { AcpUpdate } from "../../acp/dialect.ts";
import { withImageFiles } from "../../acp/with-image-files.ts";
import type { JsonRpcCall } from "../../json-rpc/json-rpc-message.ts";

interface ViewedImage {
  readonly type?: string;
  readonly description?: string;
}

const describedFile = /^Image file at path (.+)$/s;

/** An image that was looked at is told without its data, but with the file it was in. */
export function completeCall({ session }: AcpPlace, call: JsonRpcCall): Promise<JsonRpcCall> | undefined {
  const { update = {} } = (call.params ?? {}) as { update?: AcpUpdate };
  if (update.sessionUpdate !== "tool_call_update" || update.status !== "completed") return undefined;
  const { binaryResultsForLlm = [] } = (update.rawOutput ?? {}) as { binaryResultsForLlm?: readonly ViewedImage[] };
  const files = binaryResultsForLlm.flatMap(({ type, description = "" }) =>
    type === "image" ? (describedFile.exec(description)?.[1] ?? []) : [],
  );
  if (files.length === 0) return undefined;
  return withImageFiles(
    call,
    files.map((file) => resolve(session.directory, file)),
  );
}
