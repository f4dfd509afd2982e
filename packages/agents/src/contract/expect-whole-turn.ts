import { checkSchema, checkStream, type EventDraft } from "@sandbox-agent-ts/protocol";
import { expect } from "vitest";
import { closingDrafts, daemonDraft, userMessage } from "./daemon-drafts.ts";
import { HarnessLog } from "./harness-log.ts";

/** What a converter made of one turn keeps the schema and the invariants of a stream, once the daemon has bracketed it. */
export function expectWholeTurn(drafts: readonly EventDraft[]): void {
  const log = new HarnessLog("s1");
  log.append([
    daemonDraft("session.started", {}),
    daemonDraft("turn.started", { phase: "started", turn_id: "t1" }),
    ...userMessage("u1", "do it"),
    ...drafts,
  ]);
  const end = daemonDraft("turn.ended", { phase: "ended", turn_id: "t1", metadata: { reason: "completed" } });
  log.append([...closingDrafts(log.state), end]);
  expect(checkStream(log.events)).toEqual([]);
  expect(checkSchema(log.events)).toEqual([]);
}

/** Nothing that the program said was new to the converter. */
export function expectAllRead(drafts: readonly EventDraft[]): void {
  expect(drafts.filter(({ type }) => type === "agent.unparsed")).toEqual([]);
}
