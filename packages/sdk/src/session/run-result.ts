import type { Cost, FileChange, TurnEndReason, UniversalEvent, Usage } from "../api-types.ts";
import { TurnText } from "./turn-text.ts";

/** What became of a prompt. */
export interface RunResult {
  /** The agent's answer, without reasoning and tools. */
  readonly text: string;
  /** How the turn ended. */
  readonly outcome: TurnEndReason;
  /** Why, when the outcome is `error`. */
  readonly message?: string | undefined;
  /** The turn that it was. */
  readonly turnId: string;
  /** Tokens of this turn, where the agent tells. */
  readonly usage?: Usage | undefined;
  /** Cost of this turn, where the agent tells. */
  readonly cost?: Cost | undefined;
  /** The model that answered, where the agent tells. */
  readonly model?: string | undefined;
  /** Files that changed since the turn began, whoever changed them; of a daemon before 0.2, those the agent reported. */
  readonly files: readonly FileChange[];
}

/** Gathers the result of a turn from its events. */
export class RunCollector {
  readonly #text = new TurnText();
  readonly #reported = new Map<string, FileChange>();
  #answer = "";
  #turnId = "";
  #end: Omit<RunResult, "text" | "turnId" | "files"> = { outcome: "error", message: "The turn did not end." };

  /** The piece of the answer that the event adds. */
  take(event: UniversalEvent): string {
    const piece = this.#text.next(event);
    this.#answer += piece;
    if (event.type === "turn.started") this.#turnId = event.data.turn_id;
    else if (event.type === "turn.ended") this.#takeEnd(event.data.metadata);
    else if (event.type === "session.ended") this.#end = { outcome: "error", message: event.data.message ?? ended };
    else if (event.type === "item.completed") this.#takeFiles(event.data.item.content);
    return piece;
  }

  get turnId(): string {
    return this.#turnId;
  }

  get reportedFiles(): readonly FileChange[] {
    return [...this.#reported.values()];
  }

  result(files: readonly FileChange[]): RunResult {
    return { text: this.#answer, turnId: this.#turnId, ...this.#end, files };
  }

  #takeEnd({ reason, message, usage, cost, model }: EndMetadata): void {
    this.#end = {
      outcome: reason,
      ...(message ? { message } : {}),
      ...(usage ? { usage } : {}),
      ...(cost ? { cost } : {}),
      ...(model ? { model } : {}),
    };
  }

  #takeFiles(content: readonly ContentPartOf[]): void {
    for (const part of content) {
      if (part.type !== "file_ref" || part.action === "read") continue;
      this.#reported.set(part.path, { path: part.path, status: "modified", additions: 0, deletions: 0 });
    }
  }
}

type EndMetadata = Extract<UniversalEvent, { type: "turn.ended" }>["data"]["metadata"];
type ContentPartOf = Extract<UniversalEvent, { type: "item.completed" }>["data"]["item"]["content"][number];

const ended = "The session ended before the turn did.";
