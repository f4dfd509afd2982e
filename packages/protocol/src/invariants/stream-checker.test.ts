import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ContentPart } from "../content-part.ts";
import type { RequestResolver } from "../event-data.ts";
import { emptyTranscript, foldEvents } from "../fold/transcript.ts";
import { streamFromChoices } from "../testing/index.ts";
import { StreamWriter } from "../testing/stream-writer.ts";
import type { UniversalEvent } from "../universal-event.ts";
import type { UniversalItem } from "../universal-item.ts";
import { checkSchema } from "./check-schema.ts";
import { type StreamRuleName, streamRules } from "./rule.ts";
import { checkStream, createStreamChecker, type Violation } from "./stream-checker.ts";

const anyStream = fc.array(fc.nat(), { maxLength: 300, size: "max" }).map(streamFromChoices);

/** A session in the making, with the usual things in one line each. */
class Story extends StreamWriter {
  constructor() {
    super("s");
    this.write("session.started", {}, "daemon");
  }

  beginTurn(turn_id = "t1"): this {
    this.write("turn.started", { phase: "started", turn_id }, "daemon");
    return this.item({ item_id: `user-${turn_id}`, role: "user" });
  }

  endTurn(turn_id = "t1"): this {
    this.write("turn.ended", { phase: "ended", turn_id, metadata: { reason: "completed" } }, "daemon");
    return this;
  }

  start(item: Partial<UniversalItem> = {}): this {
    const started: UniversalItem = { item_id: "i", kind: "message", status: "in_progress", content: [], ...item };
    this.write("item.started", { item: started });
    return this;
  }

  delta(delta: string, item_id = "i"): this {
    this.write("item.delta", { item_id, delta });
    return this;
  }

  complete(item: Partial<UniversalItem> = {}): this {
    const completed: UniversalItem = { item_id: "i", kind: "message", status: "completed", content: [], ...item };
    this.write("item.completed", { item: completed });
    return this;
  }

  item(item: Partial<UniversalItem>): this {
    return this.start(item).complete(item);
  }

  requestPermission(): this {
    this.write("permission.requested", asked);
    return this;
  }

  resolvePermission(more: { resolved_by?: RequestResolver } = {}): this {
    this.write("permission.resolved", { permission_id: "p", action: "run", status: "approved", ...more }, "daemon");
    return this;
  }
}

const text = (words: string): ContentPart[] => [{ type: "text", text: words }];
const toolCall: ContentPart = { type: "tool_call", name: "Bash", arguments: "{}", call_id: "c" };
const asked = { permission_id: "p", action: "run", status: "requested" } as const;
const result: ContentPart = { type: "tool_result", call_id: "c", output: "ok" };

/** For each rule a stream that breaks it, once, and no other. */
const broken: Record<StreamRuleName, (story: Story) => void> = {
  sequence: (story) => changeLast(story, { sequence: 3 }),
  "event-id": (story) => {
    story.beginTurn().endTurn();
    changeLast(story, { event_id: "evt_1" });
  },
  "one-session": (story) => {
    story.beginTurn().endTurn();
    changeLast(story, { session_id: "another" });
  },
  synthetic: (story) => changeLast(story, { synthetic: false }),
  "session-started-first": (story) => {
    story.events.pop();
    story.beginTurn().endTurn();
  },
  "session-started-once": (story) => story.write("session.started", {}),
  "session-ended-last": (story) => {
    story.write("session.ended", { reason: "completed", terminated_by: "agent" });
    story.write("error", { message: "late" });
  },
  "one-turn-at-a-time": (story) => story.beginTurn("t1").beginTurn("t2").endTurn("t2"),
  "turn-ended-matches": (story) => story.beginTurn("t1").endTurn("t2"),
  "turn-ends": (story) => story.beginTurn(),
  "inside-a-turn": (story) => story.item({}),
  "user-message-first": (story) => {
    story.write("turn.started", { phase: "started", turn_id: "t1" });
    story.item({ role: "assistant" }).endTurn();
  },
  "item-started-once": (story) => story.beginTurn().item({}).item({}).endTurn(),
  "item-started-first": (story) => story.beginTurn().complete().endTurn(),
  "item-completed-once": (story) => story.beginTurn().item({}).complete().endTurn(),
  "item-completes-in-its-turn": (story) => story.beginTurn().start().endTurn().beginTurn("t2").complete().endTurn("t2"),
  "item-final-status": (story) => story.beginTurn().start().complete({ status: "in_progress" }).endTurn(),
  "deltas-spell-the-text": (story) =>
    story
      .beginTurn()
      .start()
      .delta("a")
      .complete({ content: text("ab") })
      .endTurn(),
  "assistant-text-streams": (story) =>
    story
      .beginTurn()
      .item({ role: "assistant", content: text("whole") })
      .endTurn(),
  "tool-result-follows-call": (story) =>
    story
      .beginTurn()
      .start({ kind: "tool_result" })
      .complete({ kind: "tool_result", content: [result] })
      .endTurn(),
  "request-names-its-call": (story) => {
    const call = { item_id: "i", kind: "tool_call" as const, content: [toolCall] };
    story.beginTurn().start(call);
    story.write("permission.requested", { ...asked, call_id: "other", item_id: "i" });
    story.complete(call).resolvePermission().endTurn();
  },
  "parent-known": (story) => story.beginTurn().start({ parent_id: "nobody" }).complete().endTurn(),
  "request-once": (story) => story.beginTurn().requestPermission().requestPermission().resolvePermission().endTurn(),
  "resolved-follows-requested": (story) => story.beginTurn().resolvePermission().endTurn(),
  "resolved-once": (story) => story.beginTurn().requestPermission().resolvePermission().resolvePermission().endTurn(),
  "resolved-in-its-turn": (story) => {
    story.beginTurn().requestPermission().endTurn().beginTurn("t2").resolvePermission().endTurn("t2");
  },
};

function changeLast(story: Story, change: Partial<UniversalEvent>): void {
  story.events.push({ ...story.events.pop()!, ...change } as UniversalEvent);
}

test.each([{ call_id: "c", item_id: "i" }, { call_id: "c", item_id: null }, { call_id: "told later" }])(
  "a request about %j is sound",
  (link) => {
    const story = new Story();
    const call = { item_id: "i", kind: "tool_call" as const, content: [toolCall] };
    story.beginTurn().start(call);
    story.write("permission.requested", { ...asked, ...link });
    story.resolvePermission().complete(call).endTurn();
    expect(checkStream(story.events)).toEqual([]);
  },
);

test.each(["policy", "remembered"] as const)("what is decided by %s need not be asked", (resolved_by) => {
  const story = new Story();
  story.beginTurn().resolvePermission({ resolved_by }).endTurn();
  expect(checkStream(story.events)).toEqual([]);
});

describe("each rule has a stream that breaks it alone", () => {
  test.each(Object.entries(broken))("%s", (rule, tell) => {
    const story = new Story();
    tell(story);
    expect(checkStream(story.events).map((violation) => violation.rule)).toEqual([rule]);
  });
});

describe("also broken", () => {
  test.each<[StreamRuleName, string, (story: Story) => void]>([
    ["user-message-first", "a turn without any item", (story) => emptyTurn(story)],
    ["turn-ends", "a session that ends in a turn", (story) => endSession(story.beginTurn())],
    ["inside-a-turn", "a request outside a turn", (story) => story.requestPermission().resolvePermission()],
    ["item-started-first", "a delta of nothing", (story) => story.beginTurn().delta("x", "nobody").endTurn()],
    ["item-completed-once", "a late delta", (story) => story.beginTurn().item({}).delta("").endTurn()],
    ["item-completes-in-its-turn", "a status between turns that never completes", (story) => story.start(status)],
    ["item-completes-in-its-turn", "one that a turn cuts off", (story) => story.start(status).beginTurn().endTurn()],
    [
      "parent-known",
      "an item that is its own parent",
      (story) => story.start({ ...status, parent_id: "i" }).complete(),
    ],
    ["turn-ended-matches", "an end without a turn", (story) => story.endTurn()],
  ])("%s: %s", (rule, _title, tell) => {
    const story = new Story();
    tell(story);
    expect(checkStream(story.events).map((violation) => violation.rule)).toEqual([rule]);
  });
});

const status = { kind: "status" } as const;

function emptyTurn(story: Story): void {
  story.write("turn.started", { phase: "started", turn_id: "t1" });
  story.endTurn();
}

function endSession(story: Story): void {
  story.write("session.ended", { reason: "terminated", terminated_by: "daemon" });
}

test("valid streams break no rule and no schema", () => {
  fc.assert(
    fc.property(anyStream, (events) => {
      expect(checkStream(events)).toEqual([]);
      expect(checkSchema(events)).toEqual([]);
    }),
  );
});

test("a valid stream that stops anywhere breaks only what it leaves unfinished", () => {
  fc.assert(
    fc.property(anyStream, fc.nat(), (events, length) => {
      const start = events.slice(0, length % (events.length + 1));
      const checker = createStreamChecker();
      expect(start.flatMap((event) => checker.push(event))).toEqual([]);

      const { session, writing, permissions, questions } = foldEvents(emptyTranscript, start);
      expect(count(checker.end())).toEqual({
        "turn-ends": session.turnId === null ? 0 : 1,
        "item-completes-in-its-turn": Object.keys(writing).length,
        "resolved-in-its-turn": permissions.length + questions.length,
      });
    }),
  );
});

function count(violations: readonly Violation[]): Partial<Record<StreamRuleName, number>> {
  const counts: Partial<Record<StreamRuleName, number>> = {
    "turn-ends": 0,
    "item-completes-in-its-turn": 0,
    "resolved-in-its-turn": 0,
  };
  for (const { rule } of violations) counts[rule] = (counts[rule] ?? 0) + 1;
  return counts;
}

test("an event left out of a valid stream shows in its sequences", () => {
  fc.assert(
    fc.property(anyStream, fc.nat(), (events, index) => {
      fc.pre(events.length > 2);
      const gap = 1 + (index % (events.length - 2));
      const rules = checkStream(events.toSpliced(gap, 1)).map((violation) => violation.rule);
      expect(rules).toContain("sequence");
    }),
  );
});

test("a violation says where and what", () => {
  const story = new Story().beginTurn().start().delta("a");
  story.complete({ content: text("b") }).endTurn();
  expect(checkStream(story.events)).toEqual([
    { sequence: 7, rule: "deltas-spell-the-text", message: 'The deltas of i say "a", it says "b".' },
  ]);
  expect(Object.values(streamRules).every((sentence) => sentence.endsWith("."))).toBe(true);
});

test("checkSchema names the value and the field", () => {
  const [event] = new Story().events;
  const [violation, ...others] = checkSchema([event, { ...event, sequence: 0 }]);
  expect(others).toEqual([]);
  expect(violation).toMatchObject({ index: 1, rule: "schema" });
  expect(violation?.message).toContain("sequence");
});
