import { type ModelMessage, modelMessage } from "../../conversation/model-request.ts";
import { type Json, objects, string } from "../json.ts";
import { type ModelAnswer, wholeOf } from "../model-answer.ts";

/** With this item at its end a request asks for its conversation in one opaque item, to go on with instead of it. */
const trigger = "compaction_trigger";

/** As Codex asks where it has to write the summary itself, so that a script answers both in the same way. */
const promptText = `You are performing a CONTEXT CHECKPOINT COMPACTION (${trigger})`;

export function asksForCompaction(body: Json): boolean {
  return objects(body.input).at(-1)?.type === trigger;
}

/** The messages that the items of a compaction stand for; undefined for other items. */
export function readCompaction(item: Json): ModelMessage[] | undefined {
  if (item.type === trigger) return [modelMessage("user", { texts: [promptText] })];
  if (item.type !== "compaction") return undefined;
  const text = Buffer.from(string(item.encrypted_content), "base64").toString("utf8");
  return [modelMessage("assistant", { texts: [text] })];
}

/** The whole answer: what it says, so that only this service can read it. */
export function compactionItem(answer: ModelAnswer): Json {
  const text = answer.parts.map((part) => (part.kind === "text" ? wholeOf(part) : "")).join("");
  return { id: `cmp_${answer.id}`, type: "compaction", encrypted_content: Buffer.from(text).toString("base64") };
}
