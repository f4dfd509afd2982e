import { resolve } from "node:path";
import type { AcpPlace } from "../../acp/acp-agent.ts";
import type { AcpUpdate } from "../../acp/dialect.ts";
import { withImageFiles } from "../../acp/with-image-files.ts";
import type { JsonRpcCall } from "../../json-rpc/json-rpc-message.ts";

const readImage = /^Read image file: (.+)$/s;

/** An image that was read is told without its data, but with the file it was in. */
export function completeCall({ session }: AcpPlace, call: JsonRpcCall): Promise<JsonRpcCall> | undefined {
  const { update = {} } = (call.params ?? {}) as { update?: AcpUpdate };
  if (update.sessionUpdate !== "tool_call_update" || typeof update.rawOutput !== "string") return undefined;
  const file = readImage.exec(update.rawOutput)?.[1];
  return file === undefined ? undefined : withImageFiles(call, [resolve(session.directory, file)]);
}
