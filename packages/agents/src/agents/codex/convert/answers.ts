import type { PermissionReply } from "@sandbox-agent-ts/protocol";
import type { AnswerForm } from "./codex-state.ts";

/**
 * A permission as the server wants to hear it. What is allowed for always is remembered here and allowed each time: with
 * `acceptForSession` the server would not ask again, and nobody could tell what passes; `acceptWithExecpolicyAmendment` is
 * for all sessions.
 */
export function permissionAnswer(form: AnswerForm, reply: PermissionReply): unknown {
  switch (form.kind) {
    case "approval":
      return { decision: reply === "reject" ? "decline" : "accept" };
    case "permissions":
      return {
        permissions: reply === "reject" ? {} : form.permissions,
        scope: reply === "always" ? "session" : "turn",
      };
    case "mcpTool":
      if (reply === "reject") return { action: "decline", content: null, _meta: null };
      return { action: "accept", content: {}, _meta: null };
    default:
      return {};
  }
}

/** Answers as the server wants to hear them; `null` is a person who declined. */
export function questionAnswer(form: AnswerForm, answers: readonly (readonly string[])[] | null): unknown {
  if (form.kind === "questions") {
    const given = form.ids.map((id, at) => [id, { answers: answers?.[at] ?? [] }]);
    return { answers: answers === null ? {} : Object.fromEntries(given) };
  }
  if (form.kind !== "form" || answers === null) return { action: "decline", content: null, _meta: null };
  const content = form.fields.map(({ name, type }, at) => [name, formValue(type, answers[at] ?? [])]);
  return { action: "accept", content: Object.fromEntries(content), _meta: null };
}

function formValue(type: string, answer: readonly string[]): unknown {
  const text = answer.join(", ");
  if (type === "boolean") return text === "Yes" || text === "true";
  return type === "number" || type === "integer" ? Number(text) : text;
}
