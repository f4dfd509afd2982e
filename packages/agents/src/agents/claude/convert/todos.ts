import type { OpenCall, Todo } from "./claude-state.ts";
import type { Conversion } from "./conversion.ts";
import { isRecord } from "./tool-calls.ts";

const marks: Record<string, string> = { completed: "[x]", in_progress: "[~]" };

/** The agent's list of what is to be done, shown whole whenever a tool has changed it. */
export function showTodos(to: Conversion, call: OpenCall, details: unknown): void {
  if (!changeTodos(to.todos, call, details)) return;
  const lines = [...to.todos.values()].map(({ text, status }) => `${marks[status] ?? "[ ]"} ${text}`);
  to.showStatus("Todos", lines.join("\n"));
}

/** One tool writes the whole list, two others an entry each. */
function changeTodos(todos: Map<string, Todo>, { name, input }: OpenCall, details: unknown): boolean {
  if (name === "TodoWrite" && Array.isArray(input.todos)) {
    todos.clear();
    for (const [index, todo] of input.todos.filter(isRecord).entries()) {
      todos.set(String(index), { text: String(todo.content), status: String(todo.status) });
    }
    return true;
  }
  if (name === "TaskCreate" && isRecord(details) && isRecord(details.task)) {
    todos.set(String(details.task.id), { text: String(details.task.subject ?? input.subject), status: "pending" });
    return true;
  }
  return name === "TaskUpdate" && updateTodo(todos, input);
}

function updateTodo(todos: Map<string, Todo>, input: OpenCall["input"]): boolean {
  const id = String(input.taskId);
  const todo = todos.get(id);
  if (!todo) return false;
  if (input.status === "deleted") todos.delete(id);
  else todos.set(id, { text: String(input.subject ?? todo.text), status: String(input.status ?? todo.status) });
  return true;
}
