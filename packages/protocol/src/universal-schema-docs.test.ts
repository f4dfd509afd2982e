import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { ContentPart } from "./content-part.ts";
import { UniversalEvent } from "./universal-event.ts";
import { ItemKind, ItemRole, ItemStatus, UniversalItem } from "./universal-item.ts";

const page = readFileSync(new URL("../../../docs/universal-schema.mdx", import.meta.url), "utf8");

/** Every name the page writes as code, outside its examples. */
const prose = page.replaceAll(/```.*?```/gs, "");
const code = Array.from(prose.matchAll(/`([^`]+)`/g), ([, span = ""]) => span);
const words = new Set(code.flatMap((span) => span.split(/[^\w.]+/)));

const names = {
  "event type": UniversalEvent.options.map((option) => option.shape.type.value),
  "event field": Object.keys(UniversalEvent.options[0].shape),
  "event data field": UniversalEvent.options.flatMap((option) => Object.keys(option.shape.data.shape)),
  "item field": Object.keys(UniversalItem.shape),
  "item kind": ItemKind.options,
  "item role": ItemRole.options,
  "item status": ItemStatus.options,
  "content part": ContentPart.options.map((option) => option.shape.type.value),
  "content part field": ContentPart.options.flatMap((option) => Object.keys(option.shape)),
};

describe.each(Object.entries(names))("every %s is explained", (_what, list) => {
  test.each([...new Set(list)])("%s", (name) => {
    expect(words).toContain(name);
  });
});

test("the examples are valid", () => {
  const examples = Array.from(page.matchAll(/```json\n(.*?)```/gs), ([, json = ""]) => JSON.parse(json));
  expect(examples.length).toBeGreaterThan(2);
  for (const example of examples) {
    const schema = "event_id" in example ? UniversalEvent : "item_id" in example ? UniversalItem : ContentPart;
    expect(schema.safeParse(example).error?.issues).toBeUndefined();
  }
});
