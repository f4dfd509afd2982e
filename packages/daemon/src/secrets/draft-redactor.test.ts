/** Feared: a secret that is cut in two by a delta, or a delta that never comes because it might be the start of one. */
import type { EventDraft } from "@sandbox-agent-ts/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DraftRedactor } from "./draft-redactor.ts";
import { Secrets } from "./secrets.ts";

const key = "sk-live-0123456789";

function delta(text: string, item_id = "i", raw?: string): EventDraft {
  const base = { type: "item.delta", source: "agent", synthetic: false, data: { item_id, delta: text } } as const;
  return raw === undefined ? base : { ...base, raw };
}

const textOf = (drafts: readonly EventDraft[]): string =>
  drafts.map((draft) => (draft.type === "item.delta" ? draft.data.delta : "")).join("");

test("wherever a text is cut, its deltas are joined what it is without secrets", () => {
  const words = fc.constantFrom(key, "aab", "aaab-aaab", "aaab-aaabz", "s", "sk-", "sk-live", "a", " ", "\n", "…");
  fc.assert(
    fc.property(fc.array(words), fc.array(fc.nat(60)), (parts, cuts) => {
      const secrets = new Secrets([key, "aaab-aaab", "aaab-aaabz"]);
      const redactor = new DraftRedactor(secrets);
      const text = parts.join("");
      const at = [0, ...[...cuts].sort((a, b) => a - b), text.length];
      const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));
      const shown = pieces.map((piece) => redactor.redact(delta(piece)));
      expect(textOf([...shown, ...redactor.rest()])).toBe(secrets.redact(text));
    }),
    { numRuns: 1_000 },
  );
});

test("items do not hold up one another, and the payload of a piece is left out", () => {
  const redactor = new DraftRedactor(new Secrets([key]));
  const piece = (text: string, item: string) => redactor.redact(delta(text, item, JSON.stringify({ text })));
  expect(piece("is sk-live-01", "a")).toEqual(delta("is ", "a"));
  expect(piece("hello", "b")).toEqual(delta("hello", "b", '{"text":"hello"}'));
  expect(piece("23456789!", "a")).toEqual(delta("[redacted]!", "a"));
  expect(piece(`all of ${key}`, "a")).toEqual(delta("all of [redacted]", "a", '{"text":"all of [redacted]"}'));
});

test("whatever else happens has none in its data and its payload", () => {
  const redactor = new DraftRedactor(new Secrets([key]));
  const draft: EventDraft = {
    type: "error",
    source: "agent",
    synthetic: false,
    data: { message: `Wrong key ${key}`, details: { body: [key] } },
    raw: JSON.stringify({ error: key }),
  };
  expect(redactor.redact(draft)).toEqual({
    ...draft,
    data: { message: "Wrong key [redacted]", details: { body: ["[redacted]"] } },
    raw: '{"error":"[redacted]"}',
  });
});

test("a draft without secrets is the same object", () => {
  const redactor = new DraftRedactor(new Secrets([key]));
  const draft = delta("hello", "i", "{}");
  expect(redactor.redact(draft)).toBe(draft);
});
