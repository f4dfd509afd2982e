/** Feared: a page that repeats or misses a session because others came or went between two pages. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Session } from "./session.ts";
import { SessionIndex } from "./session-index.ts";
import { sessionPage } from "./session-page.ts";

const fake = (id: string, createdAt: number): Session => ({ id, createdAt, config: {} }) as unknown as Session;

test("pages have every session once that is there all the time, newest first", () => {
  const change = fc.record({ id: fc.nat(20), createdAt: fc.nat(3), deletes: fc.boolean() });
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.record({ id: fc.nat(100), createdAt: fc.nat(3) }), { selector: ({ id }) => id }),
      fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 30 }),
      fc.integer({ min: 1, max: 5 }),
      (kept, changes, limit) => {
        const index = new SessionIndex();
        for (const { id, createdAt } of kept) index.add(fake(`kept-${id}`, createdAt));
        const seen: Session[] = [];
        let cursor: string | undefined;
        do {
          const page = sessionPage(index, { limit, ...(cursor ? { cursor } : {}) });
          expect(page.sessions.length).toBeLessThanOrEqual(limit);
          seen.push(...page.sessions);
          cursor = page.nextCursor;
          for (const { id, createdAt, deletes } of changes.shift() ?? []) {
            const known = index.get(`other-${id}`);
            if (known && deletes) index.delete(known);
            if (!known && !deletes) index.add(fake(`other-${id}`, createdAt));
          }
        } while (cursor);
        const ids = seen.map(({ id }) => id);
        expect(ids.filter((id) => id.startsWith("kept")).toSorted()).toEqual(
          kept.map(({ id }) => `kept-${id}`).toSorted(),
        );
        const times = seen.map(({ createdAt }) => createdAt);
        expect(times).toEqual(times.toSorted((a, b) => b - a));
      },
    ),
  );
});

test("there is a next page only when more sessions fit", () => {
  const index = new SessionIndex();
  for (let n = 0; n < 4; n++) index.add(fake(`s${n}`, n));
  expect(sessionPage(index, { limit: 4 }).nextCursor).toBeUndefined();
  expect(sessionPage(index, {}).sessions.map(({ id }) => id)).toEqual(["s3", "s2", "s1", "s0"]);
  const first = sessionPage(index, { limit: 3 });
  expect(first.sessions).toHaveLength(3);
  expect(sessionPage(index, { limit: 3, cursor: first.nextCursor! }).sessions.map(({ id }) => id)).toEqual(["s0"]);
});

test.each(["x", "bnVsbA", Buffer.from('["a",1]').toString("base64url")])("the cursor %s is refused", (cursor) => {
  expect(() => sessionPage(new SessionIndex(), { cursor })).toThrow("The cursor is not valid");
});
