import { expect, test } from "vitest";
import { staleOutputs } from "./gen.mjs";

test("every generated file is up to date; `npm run gen` makes it so", async () => {
  const stale = await staleOutputs();
  expect(stale.map(({ path }: { path: string }) => path)).toEqual([]);
});
