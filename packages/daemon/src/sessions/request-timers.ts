import type { QuestionRequestedData, RequestTimeout, SessionSummary } from "@sandbox-agent-ts/protocol";

interface Waiting {
  readonly since: number;
  timer: NodeJS.Timeout | undefined;
}

export interface RequestTimersOptions {
  /** What waits now. */
  readonly state: () => SessionSummary;
  readonly limit: () => RequestTimeout | undefined;
  readonly onPermission: (id: string, reply: "once" | "reject", reason: string) => void;
  readonly onQuestion: (id: string, answers: string[][] | null, reason: string) => void;
}

/** Answers requests that nobody attends to, when the session says after how long. */
export class RequestTimers {
  readonly #options: RequestTimersOptions;
  readonly #waiting = new Map<string, Waiting>();

  constructor(options: RequestTimersOptions) {
    this.#options = options;
  }

  /** To be called when requests came or went, or the time limit changed. */
  refresh(): void {
    const { permissions, questions } = this.#options.state();
    for (const [id, { timer }] of this.#waiting) {
      clearTimeout(timer);
      if (!(id in permissions || id in questions)) this.#waiting.delete(id);
    }
    const limit = this.#options.limit();
    for (const id of [...Object.keys(permissions), ...Object.keys(questions)]) {
      const waiting = this.#waiting.get(id) ?? { since: Date.now(), timer: undefined };
      this.#waiting.set(id, waiting);
      if (!limit) continue;
      const rest = Math.max(0, waiting.since + limit.afterMs - Date.now());
      waiting.timer = setTimeout(() => this.#expire(id, limit), rest).unref();
    }
  }

  stop(): void {
    for (const { timer } of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
  }

  #expire(id: string, limit: RequestTimeout): void {
    const { permissions, questions } = this.#options.state();
    const reason = limit.reason ?? `Nobody answered within ${limit.afterMs / 1000} s.`;
    const question = questions[id];
    if (id in permissions) this.#options.onPermission(id, limit.permission ?? "reject", reason);
    else if (question) this.#options.onQuestion(id, limit.question === "first" ? firstAnswers(question) : null, reason);
  }
}

/** The first option of each question; `null` when one has none to choose. */
function firstAnswers({ questions, options }: QuestionRequestedData): string[][] | null {
  const labels = questions?.map((question) => question.options[0]?.label) ?? [options[0]];
  return labels.every((label) => label !== undefined) ? labels.map((label) => [label]) : null;
}
