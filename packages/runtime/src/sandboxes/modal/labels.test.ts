import { expect, test } from "vitest";
import { labelsOf, listedTag, tagsOf } from "./labels.ts";

test("labels with anything in them become plain tags, and labels again", () => {
  const labels = { "sandbox-agent-store": "a b=ü", session: "x".repeat(100) };
  const tags = tagsOf(labels, 1234);
  for (const [key, value] of Object.entries(tags)) expect(`${key}=${value}`).toMatch(/^[\w-]{1,60}=[\w-]{1,60}$/);
  expect(tags).toMatchObject(listedTag({ key: "sandbox-agent-store", value: "a b=ü" }));
  expect(labelsOf(tags)).toEqual({ labels, createdAt: 1234 });
});

test("sandboxes of others have none", () => {
  expect(labelsOf({})).toBe(undefined);
  expect(labelsOf({ team: "infra" })).toBe(undefined);
});
