import { expect, test } from "vitest";
import { imageName } from "./image-name.ts";

test("the same has the same name, anything else another", () => {
  const data = ["", "a", "b", "ab", "ba", "aa", "a".repeat(1000), `${"a".repeat(999)}b`, `b${"a".repeat(999)}`];
  const many = Array.from({ length: 20_000 }, (_, at) => `image ${at}`);
  const names = [...data, ...many].map(imageName);
  expect(new Set(names).size).toBe(names.length);
  expect(imageName("ab")).toBe(imageName("ab"));
  expect(names.filter((name) => !/^[0-9a-f]{32}$/.test(name))).toEqual([]);
});

test("each part of a name is different where the images are", () => {
  const lanes = (name: string) => name.match(/.{8}/g)!;
  const many = Array.from({ length: 2_000 }, (_, at) => lanes(imageName(`image ${at}`)));
  for (const lane of [0, 1, 2, 3]) expect(new Set(many.map((parts) => parts[lane])).size).toBeGreaterThan(1_990);
});
