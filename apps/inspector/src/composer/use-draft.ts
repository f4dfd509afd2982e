import { useState } from "react";

interface Draft {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** Clear the field for as long as this takes. The words are kept until it has worked, and come back if it does not. */
  readonly sending: (send: () => Promise<void>) => Promise<void>;
}

/** What is being written survives a reload and looking at another session, also while it is on its way. */
export function useDraft(sessionId: string): Draft {
  const key = `sandbox-agent.draft.${sessionId}`;
  const [text, show] = useState(() => sessionStorage.getItem(key) ?? "");
  const keep = (next: string) => {
    if (next === "") sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, next);
  };
  const setText = (next: string) => {
    show(next);
    keep(next);
  };
  const sending = async (send: () => Promise<void>) => {
    show("");
    try {
      await send();
      if (sessionStorage.getItem(key) === text) keep("");
    } catch {
      setText(text);
    }
  };
  return { text, setText, sending };
}
