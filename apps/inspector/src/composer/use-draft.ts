import { useState } from "react";

/** What is being written survives a reload and looking at another session. */
export function useDraft(sessionId: string): [string, (text: string) => void] {
  const key = `sandbox-agent.draft.${sessionId}`;
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? "");
  const change = (next: string) => {
    setText(next);
    if (next === "") sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, next);
  };
  return [text, change];
}
