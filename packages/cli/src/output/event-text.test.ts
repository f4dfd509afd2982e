import type { ContentPart, UniversalEvent, UniversalItem } from "@sandbox-agent-ts/sdk";
import { describe, expect, it } from "vitest";
import { EventText, type EventTextOptions } from "./event-text.ts";

type Draft = Pick<UniversalEvent, "type" | "data">;

const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString();

/** What is written for these events, one after the other. */
function written(drafts: readonly Draft[], options: EventTextOptions = {}): string {
  const text = new EventText(options);
  return drafts
    .map((draft, index) => ({ sequence: index + 1, session_id: "demo", time: at(index), ...draft }) as UniversalEvent)
    .map((event) => text.text(event))
    .join("");
}

const item = (id: string, kind: UniversalItem["kind"], content: ContentPart[], more: Partial<UniversalItem> = {}) =>
  ({ item_id: id, kind, role: "assistant", status: "completed", content, ...more }) satisfies UniversalItem;
const started = (of: UniversalItem): Draft => ({
  type: "item.started",
  data: { item: { ...of, status: "in_progress" } },
});
const completed = (of: UniversalItem): Draft => ({ type: "item.completed", data: { item: of } });
const delta = (id: string, text: string): Draft => ({ type: "item.delta", data: { item_id: id, delta: text } });
const text = (value: string): ContentPart => ({ type: "text", text: value });
const call = (name: string, input: unknown): ContentPart => ({
  type: "tool_call",
  name,
  arguments: input === undefined ? "" : JSON.stringify(input),
  call_id: name,
});

describe("the agent's text", () => {
  it("appears as it is streamed and once", () => {
    const message = item("a", "message", [text("Hello world")]);
    const events = [
      started(item("a", "message", [text("")])),
      delta("a", "Hello "),
      delta("a", "world"),
      completed(message),
    ];
    expect(written(events)).toBe("Hello world\n");
  });

  it("appears whole when nothing was streamed, and the rest when not all was", () => {
    const message = item("a", "message", [text("Hello world")]);
    expect(written([started(item("a", "message", [text("")])), completed(message)])).toBe("Hello world\n");
    expect(written([started(item("a", "message", [])), delta("a", "Hello "), completed(message)])).toBe(
      "Hello world\n",
    );
  });

  it("of two that speak in turns begins a line each time", () => {
    const events = [
      started(item("a", "message", [text("")])),
      started(item("b", "message", [text("")], { parent_id: "t" })),
      delta("a", "one"),
      delta("b", "two\nlines"),
      delta("a", "three"),
    ];
    expect(written(events)).toBe("one\n  two\n  lines\nthree");
  });

  it("never steers the terminal", () => {
    expect(written([completed(item("a", "message", [text("a\u001b[2Jb\r")]))])).toBe("a[2Jb\n");
  });

  it("is told from its reasoning by its colour", () => {
    const paint = (tone: string, value: string): string => `<${tone}>${value}</>`;
    const reasoning: ContentPart = { type: "reasoning", text: "", visibility: "public" };
    const events = [
      started(item("r", "message", [reasoning])),
      delta("r", "hm"),
      completed(item("r", "message", [{ ...reasoning, text: "hm" }])),
      completed(item("a", "message", [text("Yes.")])),
    ];
    expect(written(events, { paint })).toBe("<dim>hm</>\nYes.\n");
  });
});

describe("the user's text", () => {
  const prompt = [completed(item("u", "message", [text("one\ntwo")], { role: "user" }))];

  it("is marked, or left out where it was just typed", () => {
    expect(written(prompt)).toBe("> one\n> two\n");
    expect(written(prompt, { showsPrompts: false })).toBe("");
  });

  it("is not taken for the agent's when it comes in deltas", () => {
    const user = item("u", "message", [text("")], { role: "user" });
    expect(written([started(user), delta("u", "secret")], { showsPrompts: false })).toBe("");
  });
});

describe("a tool", () => {
  it.each([
    [call("Bash", { command: "npm test" }), "● Bash npm test\n"],
    [call("shell", { command: ["ls", "-l"] }), "● shell ls -l\n"],
    [call("Edit", { file_path: "a.ts", old: "x" }), "● Edit a.ts\n"],
    [call("Weather", { city: "Rome" }), "● Weather Rome\n"],
    [call("Wait", { seconds: 5 }), '● Wait {"seconds":5}\n'],
    [
      call("apply_patch", { patchText: "*** Begin Patch\n*** Delete File: a.ts\n*** End Patch" }),
      "● apply_patch a.ts\n",
    ],
    [call("List", {}), "● List\n"],
    [call("Bash", { command: "a\nb\u001b[31m" }), "● Bash a b [31m\n"],
  ])("is one line, %#", (part, line) => {
    expect(written([completed(item("t", "tool_call", [part]))])).toBe(line);
  });

  it("is told when it begins if it is known with what, and once", () => {
    const known = item("t", "tool_call", [call("Bash", { command: "make" })]);
    expect(written([started(known)])).toBe("● Bash make\n");
    expect(written([started(known), completed(known)])).toBe("● Bash make\n");
    expect(written([started(item("t", "tool_call", [call("Bash", undefined)]))])).toBe("");
  });

  it("does not print its arguments as they are streamed", () => {
    const open = item("t", "tool_call", [call("Bash", undefined)]);
    expect(written([started(open), delta("t", '{"command":')])).toBe("");
  });

  it("is cut to the width of the terminal", () => {
    const long = written([completed(item("t", "tool_call", [call("Bash", { command: "x".repeat(99) })]))], {
      columns: 20,
    });
    expect(long.trimEnd()).toHaveLength(18);
    expect(long).toContain("…");
  });

  it("ends a line that the agent's text left open", () => {
    const events = [
      started(item("a", "message", [text("")])),
      delta("a", "Now"),
      completed(item("t", "tool_call", [call("List", {})])),
    ];
    expect(written(events)).toBe("Now\n● List\n");
  });

  it("that failed shows the last line of its output, one that changed files which", () => {
    const output: ContentPart = { type: "tool_result", call_id: "Bash", output: "a\nexit code 1\n" };
    expect(written([completed(item("r", "tool_result", [output], { status: "failed" }))])).toBe("  ✗ exit code 1\n");
    const diff = "--- a\n+++ b\n-x\n+y\n+z\n";
    const change: ContentPart = { type: "file_ref", path: "a.ts", action: "patch", diff };
    expect(written([completed(item("r", "tool_result", [output, change]))])).toBe("  a.ts (+2 −1)\n");
  });
});

describe("requests", () => {
  const permission: Draft = {
    type: "permission.requested",
    data: { permission_id: "p 1", action: "Run rm", status: "requested", diff: "-a\n+b" },
  };
  const question: Draft = {
    type: "question.requested",
    data: { question_id: "q1", prompt: "Which?", options: ["Red", "Blue"], status: "requested" },
  };

  it("say what is asked and how to answer", () => {
    expect(written([permission])).toBe(
      [
        "? Permission wanted: Run rm",
        "    -a",
        "    +b",
        "  Answer with: sandbox-agent sessions reply-permission demo 'p 1' --reply once|always|reject\n",
      ].join("\n"),
    );
    expect(written([question])).toBe(
      "? Which?\n    Red\n    Blue\n  Answer with: sandbox-agent sessions reply-question demo q1 --answer Red\n",
    );
    expect(written([permission, question], { showsReplyCommands: false })).not.toContain("sandbox-agent");
  });

  it("say what was decided", () => {
    const approved: Draft = {
      type: "permission.resolved",
      data: { permission_id: "p", action: "Run rm", status: "approved", reply: "always" },
    };
    const denied: Draft = {
      type: "permission.resolved",
      data: { permission_id: "p", action: "Run rm", status: "denied" },
    };
    expect(written([approved, denied])).toBe("✓ Run rm: allowed for the rest of the session\n✗ Run rm: refused\n");
    const byPolicy = { ...denied, data: { ...denied.data, resolved_by: "policy", reason: "Read only." } } as Draft;
    expect(written([byPolicy])).toBe("✗ Run rm: refused by the policy (Read only.)\n");
    const answered: Draft = {
      type: "question.resolved",
      data: { question_id: "q", prompt: "?", options: [], status: "answered", answers: [["Red"], ["A", "B"]] },
    };
    expect(written([answered])).toBe("✓ Red; A, B\n");
  });
});

describe("ends", () => {
  const turn: Draft = { type: "turn.started", data: { phase: "started", turn_id: "t" } };
  const ended = (metadata: Extract<UniversalEvent, { type: "turn.ended" }>["data"]["metadata"]): Draft => ({
    type: "turn.ended",
    data: { phase: "ended", turn_id: "t", metadata },
  });

  it("of a turn say what it took, that it was interrupted, or why it failed", () => {
    const usage = { input_tokens: 1_200, output_tokens: 30 };
    const cost = { amount: 0.02, currency: "USD" };
    expect(written([turn, ended({ reason: "completed", usage, cost })])).toBe(
      "Done: 1 s, 1.2k tokens in, 30 out, $0.02.\n",
    );
    expect(written([ended({ reason: "interrupted" })])).toBe("Interrupted.\n");
    expect(written([ended({ reason: "error", message: "No credit." })])).toBe("Error: No credit.\n");
  });

  it("of the settings of before are told", () => {
    const changes = { permissionMode: "plan" as const, model: null };
    expect(written([{ type: "session.updated", data: { changes } }])).toBe(
      "Settings changed: permission mode plan, model.\n",
    );
  });

  it("of a session and other errors are told", () => {
    const over: Draft = { type: "session.ended", data: { reason: "terminated", terminated_by: "daemon" } };
    expect(written([over])).toBe("The session has ended (terminated).\n");
    expect(written([{ type: "error", data: { message: "Trouble." } }])).toBe("Error: Trouble.\n");
  });
});
