import type { Choices } from "./choices.ts";
import type { StreamWriter } from "./stream-writer.ts";

/** Writes permissions and questions, several open at once, each resolved once. */
export class RequestWriter {
  readonly #stream: StreamWriter;
  readonly #choices: Choices;
  readonly #open: (() => void)[] = [];
  #count = 0;

  constructor(stream: StreamWriter, choices: Choices) {
    this.#stream = stream;
    this.#choices = choices;
  }

  request(): void {
    this.#count += 1;
    this.#open.push(this.#choices.below(2) === 0 ? this.#requestPermission() : this.#requestQuestion());
  }

  resolveOne(): void {
    if (this.#open.length > 0) this.#open.splice(this.#choices.below(this.#open.length), 1)[0]!();
  }

  resolveAll(): void {
    for (const resolve of this.#open.splice(0)) resolve();
  }

  #requestPermission(): () => void {
    const request = { permission_id: `prm_${this.#count}`, action: "run a command" };
    this.#stream.write("permission.requested", { ...request, status: "requested" });
    return () => {
      const reply = this.#choices.of(["reject", "once", "always"]);
      const status = reply === "reject" ? "denied" : "approved";
      this.#stream.write("permission.resolved", { ...request, status, reply }, "daemon");
    };
  }

  #requestQuestion(): () => void {
    const request = { question_id: `qst_${this.#count}`, prompt: "Which?", options: ["a", "b"] };
    this.#stream.write("question.requested", { ...request, status: "requested" });
    return () => {
      const label = this.#choices.of([null, "a", "b"]);
      const answer =
        label === null ? { status: "rejected" as const } : { status: "answered" as const, answers: [[label]] };
      this.#stream.write("question.resolved", { ...request, ...answer }, "daemon");
    };
  }
}
