import { expect, test } from "vitest";
import { EventsQuery, FsDeleteQuery } from "./queries.ts";

test("text becomes what it stands for", () => {
  expect(EventsQuery.parse({ offset: "12", limit: "0", includeRaw: "true" })).toEqual({
    offset: 12,
    limit: 0,
    includeRaw: true,
  });
  expect(FsDeleteQuery.parse({ path: "a", recursive: "false" })).toEqual({ path: "a", recursive: false });
  expect(EventsQuery.parse({})).toEqual({});
});

test.each([
  { offset: "-1" },
  { offset: "1.5" },
  { offset: "" },
  { offset: "1e3" },
  { limit: "99999999999999999999" },
  { includeRaw: "1" },
  { includeRaw: "" },
])("%o is refused", (query) => {
  expect(EventsQuery.safeParse(query).success).toBe(false);
});
