import type { CodexItem, CodexParams } from "../dialect.ts";

interface StatusView {
  readonly label: string;
  readonly detail: string | null;
}

/** Items that only tell that something happened. */
export function statusOf(item: CodexItem): StatusView | undefined {
  switch (item.type) {
    case "contextCompaction":
      return { label: "Conversation compacted", detail: null };
    case "subAgentActivity":
      return { label: `Subagent ${item.kind ?? "active"}`, detail: item.agentPath ?? null };
    case "enteredReviewMode":
      return { label: "Review begun", detail: item.review ?? null };
    case "exitedReviewMode":
      return { label: "Review ended", detail: item.review ?? null };
    default:
      return undefined;
  }
}

const marks: Readonly<Record<string, string>> = { completed: "x", inProgress: "~" };

/** A list of things to do: `[x] done`, `[~] at it`, `[ ] to do`. */
export function planStatus({ explanation, plan = [] }: CodexParams): string {
  const steps = plan.map(({ step = "", status = "" }) => `[${marks[status] ?? " "}] ${step}`);
  return [...(explanation ? [explanation] : []), ...steps].join("\n");
}
