import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { appendTexts, numbered, rawOf, readTexts, sampleRaw, sampleTurn, turnsOf } from "../contract/sample-log.ts";
import { type JournalName, type SessionFolder, writtenFolder } from "./__fixtures__/session-folder.ts";

const newline = 10;
const linesIn = (bytes: Buffer): number => bytes.filter((byte) => byte === newline).length;

/** Where the last `lines` lines begin. */
function startOfLast(bytes: Buffer, lines: number): number {
  let start = bytes.length;
  for (let n = 0; n < lines; n++) start = bytes.lastIndexOf(newline, start - 2) + 1;
  return start;
}

/** Opens the folder, checks what is left of the log, goes on with it and checks that again after another start. */
async function expectUsable(folder: SessionFolder, expected: { head: number; turns: number }): Promise<void> {
  const { store, sessions, unreadable } = await folder.open();
  expect(unreadable).toEqual([]);
  expect(sessions.get("s")).toMatchObject({ head: expected.head });
  expect(await readTexts(store, "s")).toEqual(numbered(expected.head));
  expect(await turnsOf(store, "s")).toHaveLength(expected.turns);
  await appendTexts(store, "s", [`text ${expected.head + 1}`]);
  await store.appendTurn("s", sampleTurn("next"));
  await store.close();

  const again = await folder.open();
  expect(again.sessions.get("s")).toMatchObject({ head: expected.head + 1 });
  expect(await readTexts(again.store, "s")).toEqual(numbered(expected.head + 1));
  expect((await turnsOf(again.store, "s")).at(-1)?.turnId).toBe("next");
  await again.store.close();
}

/** Opens a folder of nine events and checks that these are errors, the others are whole, and the log goes on. */
async function expectDamaged(folder: SessionFolder, damaged: readonly number[]): Promise<void> {
  for (const last of [9, 10]) {
    const { store } = await folder.open();
    expect(store.head("s")).toBe(last);
    const found: string[] = [];
    while (found.length < last) {
      const page = await store.read("s", found.length, { maxBytes: 1000, maxEvents: 4 });
      for (const line of page.lines.toString("utf8").trim().split("\n")) {
        const { type, sequence, data } = JSON.parse(line);
        expect(sequence).toBe(found.length + 1);
        found.push(type === "error" ? "damaged" : data.delta.trim());
      }
    }
    expect(found).toEqual(numbered(last).map((text, n) => (damaged.includes(n + 1) ? "damaged" : text)));
    if (last === 9) await appendTexts(store, "s", ["text 10"]);
    await store.close();
  }
}

describe.each([
  ["without a checkpoint", undefined],
  ["with a checkpoint before it", 2],
  ["with a checkpoint behind it", 5],
])("a journal torn at any byte of its last three lines, %s,", (_, checkpointAfter) => {
  async function tearAnywhere(name: JournalName, expected: (wholeLines: number) => { head: number; turns: number }) {
    const folder = await writtenFolder(numbered(5), checkpointAfter);
    const whole = folder.read(name);
    const files = ["events.jsonl", "raw.jsonl", "turns.jsonl"].map((each) => [each, folder.read(each)] as const);
    const checkpoint = checkpointAfter === undefined ? undefined : folder.read("checkpoint.json");
    for (let length = startOfLast(whole, 3); length <= whole.length; length++) {
      for (const [each, content] of files) folder.write(each, content);
      if (checkpoint) folder.write("checkpoint.json", checkpoint);
      folder.write(name, whole.subarray(0, length));
      await expectUsable(folder, expected(linesIn(whole.subarray(0, length))));
    }
  }

  it("of events keeps every whole event", () => tearAnywhere("events.jsonl", (head) => ({ head, turns: 5 })));
  it("of raw payloads keeps every event", () => tearAnywhere("raw.jsonl", () => ({ head: 5, turns: 5 })));
  it("of turns keeps every whole turn", () => tearAnywhere("turns.jsonl", (turns) => ({ head: 5, turns })));
});

describe("garbage", () => {
  const garbage: [string, Buffer][] = [
    ["NULs", Buffer.alloc(5000)],
    ["random bytes", Buffer.from(Array.from({ length: 5000 }, (_, n) => (n * 7919) % 251))],
    ["empty lines", Buffer.from("\n\n\n")],
    ["a line of something else", Buffer.from('{"hello":"world"}\n')],
    ["more than a block of NULs", Buffer.alloc(3_000_000)],
  ];

  it.each(garbage)("of %s after the last line is cut off", async (_, bytes) => {
    for (const name of ["events.jsonl", "raw.jsonl", "turns.jsonl"] as const) {
      const folder = await writtenFolder(numbered(5), 3);
      folder.write(name, Buffer.concat([folder.read(name), bytes]));
      await expectUsable(folder, { head: 5, turns: 5 });
    }
  });

  it.each(garbage)("of %s between two lines damages no more than the line it touches", async (_, bytes) => {
    const folder = await writtenFolder(numbered(9), 3);
    const whole = folder.read("events.jsonl");
    const start = startOfLast(whole, 3);
    folder.write("events.jsonl", Buffer.concat([whole.subarray(0, start), bytes, whole.subarray(start)]));
    const isLine = bytes.at(-1) === newline;
    await expectDamaged(folder, isLine ? [] : [7]);
  });

  it.each([
    ["NULs", Buffer.alloc(40)],
    ["no UTF-8", Buffer.from([0xff, 0xfe, 0xc3, 0x28])],
    ["no JSON", Buffer.from('"",,}{')],
  ])("of %s inside a line, whose ends are whole, is seen", async (_, bytes) => {
    const folder = await writtenFolder([...numbered(7), "text 8".padEnd(500), "text 9"], 3);
    const whole = folder.read("events.jsonl");
    bytes.copy(whole, startOfLast(whole, 2) + 300);
    folder.write("events.jsonl", whole);
    await expectDamaged(folder, [8]);
  });

  it("is not kept beside when no whole line is among it", async () => {
    const folder = await writtenFolder(numbered(3));
    folder.write("events.jsonl", Buffer.concat([folder.read("events.jsonl"), Buffer.from('{"event_id":"evt_k3')]));
    await expectUsable(folder, { head: 3, turns: 3 });
    expect(existsSync(folder.path("events.jsonl.cut"))).toBe(false);
  });

  it("of events that come twice is cut off", async () => {
    const folder = await writtenFolder(numbered(4));
    const whole = folder.read("events.jsonl");
    folder.write("events.jsonl", Buffer.concat([whole, whole.subarray(startOfLast(whole, 1))]));
    await expectUsable(folder, { head: 4, turns: 4 });
  });
});

describe("raw payloads", () => {
  it("of events that were lost are not given to those that take their numbers", async () => {
    const folder = await writtenFolder(numbered(9));
    const whole = folder.read("events.jsonl");
    folder.write("events.jsonl", whole.subarray(0, startOfLast(whole, 5)));

    const { store } = await folder.open();
    expect(store.head("s")).toBe(4);
    expect([...(await rawOf(store, "s", 0, 100)).keys()]).toEqual([1, 3]);
    await store.append("s", {
      first: 5,
      count: 1,
      lines: whole.subarray(startOfLast(whole, 5), startOfLast(whole, 4)).toString(),
      raw: "",
    });
    expect([...(await rawOf(store, "s", 0, 100)).keys()]).toEqual([1, 3]);
    await appendTexts(store, "s", ["six", "seven"]);
    expect(await rawOf(store, "s", 4, 7)).toEqual(new Map([[7, sampleRaw(7)]]));
    await store.close();
  });
});
