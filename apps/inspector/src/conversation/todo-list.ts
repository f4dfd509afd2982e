type TodoState = "open" | "active" | "done";

export interface Todo {
  readonly text: string;
  readonly state: TodoState;
}

const states: Readonly<Record<string, TodoState>> = { x: "done", X: "done", "~": "active", "-": "active", " ": "open" };

/** The list in a status such as `[x] done`, `[~] at it`, `[ ] to do`; undefined when it is none. */
export function todosOf(detail: string): Todo[] | undefined {
  const lines = detail.split("\n").filter((line) => line.trim() !== "");
  const todos = lines.flatMap((line) => {
    const [, mark = "", text = ""] = /^\s*(?:[-*]\s+)?\[([ xX~-])\]\s+(.*)$/.exec(line) ?? [];
    const state = states[mark];
    return state === undefined ? [] : [{ text, state }];
  });
  return todos.length > 0 && todos.length === lines.length ? todos : undefined;
}
