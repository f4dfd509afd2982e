import type { Scenario, ScenarioEnd } from "../scenario.ts";
import type { Stage } from "../stage.ts";

const MAX_BURST_DELTAS = 10_000_000;
const MAX_BURST_DELTA_BYTES = 1024 * 1024;
/** The completed item repeats the whole text, and a string longer than half a gigabyte cannot exist. */
const MAX_BURST_TOTAL_BYTES = 256 * 1024 * 1024;
const BURST_BATCH_DELTAS = 500;
const BURST_BATCH_BYTES = 1024 * 1024;
const MAX_SLOW_DELTAS = 10_000;
const MAX_SLOW_PAUSE_MS = 60_000;
const STORY_SENTENCES = 365;
const STORY_PAUSE_MS = 100;

/** `burst N SIZE`: one message of N deltas of SIZE bytes, as fast as they are taken. */
export const burst: Scenario = async (stage, { message }) => {
  const [count, size] = numbersIn(message);
  if (count > MAX_BURST_DELTAS || size > MAX_BURST_DELTA_BYTES || count * size > MAX_BURST_TOTAL_BYTES) {
    return tooMuch("burst takes at most 10000000 deltas of at most 1048576 bytes, together at most 268435456 bytes.");
  }
  await flood(stage, count, "x".repeat(size));
  return undefined;
};

async function flood(stage: Stage, count: number, delta: string): Promise<void> {
  const perBatch = Math.max(1, Math.min(BURST_BATCH_DELTAS, Math.floor(BURST_BATCH_BYTES / delta.length)));
  const item = stage.openMessage({ type: "text", text: "" });
  for (let sent = 0; sent < count; sent += perBatch) {
    const times = Math.min(perBatch, count - sent);
    item.append(delta, times);
    stage.words.say(delta, times);
    await stage.breathe();
  }
  stage.finish(item);
}

/** `slow N MS`: one message of N deltas with MS milliseconds between them. */
export const slow: Scenario = async (stage, { message }) => {
  const [count, pauseMs] = numbersIn(message);
  if (count > MAX_SLOW_DELTAS || pauseMs > MAX_SLOW_PAUSE_MS) {
    return tooMuch("slow takes at most 10000 deltas with at most 60000 milliseconds between them.");
  }
  await trickle(stage, count, pauseMs, (n) => `${n} `);
  return undefined;
};

/** `tell X`: a story that takes its time and never gets to the point. */
export const tell: Scenario = async (stage) => {
  await trickle(
    stage,
    STORY_SENTENCES,
    STORY_PAUSE_MS,
    (n) => `On day ${n} the light went on and the ships went by.\n`,
  );
  return undefined;
};

async function trickle(stage: Stage, count: number, pauseMs: number, say: (n: number) => string): Promise<void> {
  const item = stage.openMessage({ type: "text", text: "" });
  for (let sent = 1; sent <= count; sent += 1) {
    if (sent > 1) await stage.sleep(pauseMs);
    item.append(say(sent));
    stage.words.say(say(sent));
  }
  stage.finish(item);
}

function numbersIn(message: string): [number, number] {
  const [first = "0", second = "0"] = message.match(/\d+/g) ?? [];
  return [Number(first), Number(second)];
}

function tooMuch(message: string): ScenarioEnd {
  return { reason: "error", message };
}
