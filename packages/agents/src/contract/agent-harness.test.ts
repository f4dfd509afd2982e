import type { EventDraft } from "@sandbox-agent-ts/protocol";
import { checkStream } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import type { AgentAdapter, AgentSession, OpenOptions } from "../agent.ts";
import { adapter as mock } from "../agents/mock/index.ts";
import { AgentHarness } from "./agent-harness.ts";

type Emit = OpenOptions["emit"];

test.each<[string, (emit: Emit) => void]>([
  [
    "turn.started is the daemon's to write",
    (emit) => emit([draft("turn.started", { phase: "started", turn_id: "t" })]),
  ],
  ["session.started is the daemon's to write", (emit) => emit([draft("session.started", {})])],
  [
    "session.ended was emitted during a prompt; say it in the outcome",
    (emit) => emit([draft("session.ended", { reason: "completed", terminated_by: "agent" })]),
  ],
  ["the user's own message is the daemon's to write", (emit) => emit([itemStarted("open1-1", "user")])],
  ["7 is not an id of this session", (emit) => emit([itemStarted("7", "assistant")])],
  [
    "p is resolved but is not open",
    (emit) => emit([draft("permission.resolved", { permission_id: "p", action: "a", status: "denied" })]),
  ],
])("finds the breach: %s", async (breach, misbehave) => {
  const harness = await AgentHarness.open(agentThat(misbehave));
  await harness.prompt("hello");
  expect(harness.breaches).toEqual([breach]);
  await harness.dispose();
});

test("finds what is emitted after close", async () => {
  let emit: Emit = () => {};
  const harness = await AgentHarness.open(agentThat((given) => (emit = given)));
  await harness.prompt("hello");
  await harness.close();
  emit([draft("error", { message: "late" })]);
  expect(harness.breaches).toEqual(["error was emitted after close"]);
  await harness.dispose();
});

test("closes what a turn left open, so that the stream is sound", async () => {
  const harness = await AgentHarness.open(
    agentThat((emit) =>
      emit([
        itemStarted("open1-1", "assistant"),
        draft("item.delta", { item_id: "open1-1", delta: "half a" }),
        draft("permission.requested", { permission_id: "p", action: "a", status: "requested" }),
        draft("question.requested", { question_id: "q", prompt: "?", options: [], status: "requested" }),
      ]),
    ),
  );
  const { events } = await harness.prompt("hello");
  expect(events.slice(-4).map(({ type, source }) => [type, source])).toEqual([
    ["permission.resolved", "daemon"],
    ["question.resolved", "daemon"],
    ["item.completed", "daemon"],
    ["turn.ended", "daemon"],
  ]);
  expect(harness.breaches).toEqual([]);
  expect(checkStream(harness.events)).toEqual([]);
  await harness.dispose();
});

test("waiting for what a turn never brings fails when it ends", async () => {
  const harness = await AgentHarness.open(mock);
  const turn = harness.prompt("hello");
  await expect(harness.next("question.requested")).rejects.toThrow("The turn ended without question.requested");
  await turn;
  await harness.dispose();
});

/** An agent that does one thing in its prompts and then completes them. */
function agentThat(act: (emit: Emit) => void): AgentAdapter {
  const session = ({ emit }: OpenOptions): AgentSession => ({
    async prompt() {
      act(emit);
      return { reason: "completed" };
    },
    async interrupt() {},
    async answerPermission() {},
    async answerQuestion() {},
    async close() {},
  });
  return { ...mock, open: async (options) => session(options) };
}

function draft<T extends EventDraft["type"]>(type: T, data: Extract<EventDraft, { type: T }>["data"]): EventDraft {
  return { type, data, source: "agent", synthetic: false } as EventDraft;
}

function itemStarted(item_id: string, role: "user" | "assistant"): EventDraft {
  return draft("item.started", { item: { item_id, kind: "message", role, status: "in_progress", content: [] } });
}
