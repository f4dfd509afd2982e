import type { UniversalEvent, UniversalItem } from "@sandbox-agent-ts/protocol";
import { HarnessLog } from "../../contract/harness-log.ts";

/** The end of each of these items as it stands in a log. What is not said of one is as in a message of the model. */
export function completedItems(...items: Partial<UniversalItem>[]): readonly UniversalEvent[] {
  const log = new HarnessLog("s");
  for (const [at, item] of items.entries()) {
    const whole = { item_id: `i${at}`, kind: "message", role: "assistant", status: "completed", content: [], ...item };
    const data = { item: whole as UniversalItem };
    log.append([{ type: "item.completed", data, source: "agent", synthetic: false }]);
  }
  return log.events;
}
