/** Feared: one message that is longer than the memory ends the daemon, and every start after it. */
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { maxItemText, type UniversalEvent } from "@sandbox-agent-ts/protocol";
import { describe, expect, test } from "vitest";
import { ofType } from "../__fixtures__/client.ts";
import { DaemonProcess } from "../__fixtures__/daemon-process.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";

const limits = { timeout: 120_000 };
const megabyte = 1_000_000;
const heap = { NODE_OPTIONS: "--max-old-space-size=256" };

function start(dataDir: string): Promise<DaemonProcess> {
  return DaemonProcess.start({ dataDir, env: heap });
}

function agentItem(events: readonly UniversalEvent[]) {
  const { item } = ofType(events, "item.completed").find(({ data }) => data.item.role === "assistant")!.data;
  const part = item.content[0]!;
  return { ...item, text: part.type === "text" ? part.text : "" };
}

function noticeOf(events: readonly UniversalEvent[]) {
  return ofType(events, "error").map(({ data }) => data)[0];
}

describe("on a heap of 256 MB", () => {
  test.each([
    ["200 MB of text", "flood 200 1000000", 200 * megabyte],
    ["95 MB of control characters, each six bytes of JSON", "flood 380 250000 1", 95 * megabyte],
  ])("%s in one message are cut, the turn ends, and the next start is as good", limits, async (_, message, length) => {
    const dataDir = temporaryDirectory();
    const daemon = await start(dataDir);
    await daemon.client.create("s", { agent: "fake" });
    const events = await daemon.client.turn("s", message);

    const { text, status } = agentItem(events);
    expect(status).toBe("completed");
    expect(text.length).toBeGreaterThan(maxItemText / 2);
    expect(text.length).toBeLessThanOrEqual(maxItemText);
    expect(noticeOf(events)).toMatchObject({
      code: "payload_too_large",
      message: expect.stringContaining(`${length - text.length} characters were dropped`),
    });
    expect(events.at(-1)).toMatchObject({ type: "turn.ended", data: { metadata: { reason: "completed" } } });

    await daemon.kill();
    const again = await start(dataDir);
    expect(await again.client.info("s")).toMatchObject({ status: "idle", eventCount: events.at(-1)!.sequence });
    expect(ofType(await again.client.turn("s", "hello"), "turn.ended")).toHaveLength(1);
  });

  test(
    "a message of 200 MB that an older daemon left open in the log is closed with its beginning",
    limits,
    async () => {
      const dataDir = temporaryDirectory();
      const daemon = await start(dataDir);
      await daemon.client.create("s", { agent: "fake" });
      const before = await daemon.client.info("s");
      await daemon.kill();
      leaveOpenMessage(join(dataDir, "sessions", "s", "events.jsonl"), before.eventCount + 1, 200);

      const again = await start(dataDir);
      const { eventCount, status } = await again.client.info("s");
      expect(status).toBe("idle");
      const closing = await again.client.events("s", `?offset=${eventCount - 3}`);
      expect(closing.map(({ type }) => type)).toEqual(["item.completed", "error", "turn.ended"]);
      expect(agentItem(closing).text.length).toBeLessThanOrEqual(maxItemText);
      expect(noticeOf(closing)?.message).toContain("characters were dropped");
    },
  );
});

/** Append the events of a turn whose one message has so many megabytes and no end. */
function leaveOpenMessage(path: string, first: number, megabytes: number): void {
  const file = openSync(path, "a");
  let sequence = first;
  const write = (type: string, data: unknown) => {
    const about = { time: new Date(0).toISOString(), session_id: "s", native_session_id: null, source: "agent" };
    const event = { event_id: `evt_x_${sequence}`, sequence, ...about, synthetic: false, type, data };
    writeSync(file, `${JSON.stringify(event)}\n`);
    sequence += 1;
  };
  const item = { item_id: "long", kind: "message", role: "assistant", status: "in_progress", content: [] };
  write("turn.started", { phase: "started", turn_id: "turn_long" });
  write("item.started", { item });
  for (let n = 0; n < megabytes; n++) write("item.delta", { item_id: "long", delta: "x".repeat(megabyte) });
  closeSync(file);
}
