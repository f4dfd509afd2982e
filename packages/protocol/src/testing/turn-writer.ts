import type { TurnEndedMetadata } from "../event-data.ts";
import type { Choices } from "./choices.ts";
import { ItemWriter } from "./item-writer.ts";
import { RequestWriter } from "./request-writer.ts";
import type { StreamWriter } from "./stream-writer.ts";

const endings: [TurnEndedMetadata, ...TurnEndedMetadata[]] = [
  { reason: "completed" },
  { reason: "completed", usage: { input_tokens: 10, output_tokens: 3, reasoning_tokens: 1 } },
  { reason: "completed", usage: { input_tokens: 7, output_tokens: 5 }, cost: { amount: 0.25, currency: "USD" } },
  { reason: "interrupted" },
  { reason: "error", message: "the agent stopped" },
];

/** Most of a stream is deltas. */
const deltaSteps = 8;

/** Writes whole turns in which anything that is allowed may happen, in any order. */
export class TurnWriter {
  readonly #stream: StreamWriter;
  readonly #choices: Choices;
  readonly #items: ItemWriter;
  readonly #requests: RequestWriter;
  readonly #calls: string[] = [];
  #turns = 0;

  constructor(stream: StreamWriter, choices: Choices) {
    this.#stream = stream;
    this.#choices = choices;
    this.#items = new ItemWriter(stream, choices);
    this.#requests = new RequestWriter(stream, choices);
  }

  write(): void {
    const turn_id = `turn_${++this.#turns}`;
    this.#stream.write("turn.started", { phase: "started", turn_id }, "daemon");
    this.#items.startAndComplete({ kind: "message", role: "user", content: [{ type: "text", text: "Hi" }] });
    while (this.#step());
    this.#items.completeAll();
    this.#requests.resolveAll();
    this.#stream.write("turn.ended", { phase: "ended", turn_id, metadata: this.#choices.of(endings) }, "daemon");
  }

  writeStatus(): void {
    const content = [{ type: "status" as const, label: "Compacting" }];
    this.#items.startAndComplete({ kind: this.#choices.of(["status", "system"]), content });
  }

  /** False when the turn is over. */
  #step(): boolean {
    const steps = [
      ...Array<() => void>(deltaSteps).fill(() => this.#items.grow()),
      () => this.#items.completeOne(),
      () => this.#startMessage(),
      () => this.#startThought(),
      () => this.#startToolCall(),
      () => this.#startToolResult(),
      () => this.#requests.request(),
      () => this.#requests.resolveOne(),
      () => this.writeStatus(),
      () => this.#writeFileChange(),
      () => this.#stream.write("error", { message: "a hiccup" }),
      () => this.#stream.write("agent.unparsed", { error: "not JSON", location: "stdout" }, "daemon"),
    ];
    const choice = this.#choices.below(steps.length + 1);
    steps[choice - 1]?.();
    return choice > 0;
  }

  #startMessage(): void {
    this.#items.start({ kind: "message", role: "assistant", content: [] }, (text) =>
      text === null ? [] : [{ type: "text", text }],
    );
  }

  /** Thought and answer in one item: its deltas spell both. */
  #startThought(): void {
    const visibility = this.#choices.of(["public", "private"]);
    const seed = { type: "reasoning" as const, text: "", visibility };
    this.#items.start({ kind: "message", role: "assistant", content: [seed] }, (text) => [
      { ...seed, text: text?.slice(0, 3) ?? "" },
      { type: "text", text: text?.slice(3) ?? "" },
    ]);
  }

  #startToolCall(): void {
    const call_id = `call_${this.#calls.length + 1}`;
    const call = { type: "tool_call" as const, name: "shell", call_id };
    this.#calls.push(call_id);
    this.#items.start({ kind: "tool_call", role: "assistant", content: [{ ...call, arguments: "" }] }, (text) => [
      { ...call, arguments: text ?? "{}" },
    ]);
  }

  #startToolResult(): void {
    const call_id = this.#calls[this.#choices.below(this.#calls.length || 1)];
    if (call_id === undefined) return;
    this.#items.start({ kind: "tool_result", role: "tool", content: [] }, (text) => [
      { type: "tool_result", call_id, output: text ?? "done" },
    ]);
  }

  #writeFileChange(): void {
    this.#items.startAndComplete({
      kind: "unknown",
      content: [
        { type: "file_ref", path: "a.txt", action: "patch", diff: "+a" },
        { type: "image", path: "a.png" },
        { type: "json", json: { any: [1, null] } },
      ],
    });
  }
}
