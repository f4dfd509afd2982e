import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PolledStore } from "./polled-store.ts";
import { reconcileList } from "./reconcile-list.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A store whose reads are answered by the test. */
function polled(answer: () => Promise<string> | string, intervalMs?: number) {
  let reads = 0;
  const read = async () => {
    reads += 1;
    return answer();
  };
  return { store: new PolledStore({ read, intervalMs }), reads: () => reads };
}

test("reads at once, then at its interval, and not without listeners", async () => {
  const { store, reads } = polled(() => "a", 3_000);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reads()).toBe(0);
  const leave = store.subscribe(() => {});
  expect(store.getSnapshot()).toEqual({ data: undefined, isLoading: true, error: undefined });
  await vi.advanceTimersByTimeAsync(9_000);
  expect(reads()).toBe(4);
  expect(store.getSnapshot()).toEqual({ data: "a", isLoading: false, error: undefined });
  leave();
  await vi.advanceTimersByTimeAsync(9_000);
  expect(reads()).toBe(4);
});

test("without an interval reads again only when asked, or hinted while somebody listens", async () => {
  const { store, reads } = polled(() => "a");
  store.hint();
  expect(reads()).toBe(0);
  store.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reads()).toBe(1);
  store.hint();
  await vi.advanceTimersByTimeAsync(0);
  expect(reads()).toBe(2);
  await store.refresh();
  expect(reads()).toBe(3);
});

test("keeps what it has while reading fails, waits longer each time but never too long, and recovers", async () => {
  let failing = false;
  const { store, reads } = polled(() => (failing ? Promise.reject(new Error("away")) : "a"), 3_000);
  store.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  failing = true;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(store.getSnapshot()).toEqual({ data: "a", isLoading: false, error: new Error("away") });
  const pauses: number[] = [];
  for (let count = 0; count < 6; count += 1) {
    const before = reads();
    let waited = 0;
    while (reads() === before) {
      await vi.advanceTimersByTimeAsync(1_000);
      waited += 1_000;
    }
    pauses.push(waited);
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
  failing = false;
  await store.refresh();
  expect(store.getSnapshot()).toEqual({ data: "a", isLoading: false, error: undefined });
});

test("an answer that was asked for before is not taken for a newer one", async () => {
  const answers: ((value: string) => void)[] = [];
  const { store } = polled(() => new Promise((resolve) => answers.push(resolve)));
  store.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  const refreshed = store.refresh();
  answers[0]!("old");
  await vi.advanceTimersByTimeAsync(0);
  expect(store.getSnapshot().data).toBe("old");
  answers[1]!("new");
  await refreshed;
  expect(store.getSnapshot().data).toBe("new");
});

test("does not read in a hidden page, and at once when it is shown again", async () => {
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  vi.stubGlobal("document", page);
  const { store, reads } = polled(() => "a", 3_000);
  const leave = store.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(0);
  page.visibilityState = "hidden";
  page.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reads()).toBe(1);
  page.visibilityState = "visible";
  page.dispatchEvent(new Event("visibilitychange"));
  await vi.advanceTimersByTimeAsync(0);
  expect(reads()).toBe(2);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(reads()).toBe(3);
  leave();
  await vi.advanceTimersByTimeAsync(0);
  page.dispatchEvent(new Event("visibilitychange"));
  expect(reads()).toBe(3);
});

test("a list in which nothing changed is the list from before, one in which something did keeps the rest", () => {
  const reconcile = reconcileList<{ id: string; n: number }>(({ id }) => id);
  const before = [
    { id: "a", n: 1 },
    { id: "b", n: 2 },
  ];
  expect(reconcile(before, structuredClone(before))).toBe(before);
  const after = reconcile(before, [
    { id: "b", n: 2 },
    { id: "a", n: 3 },
  ]);
  expect(after).toEqual([
    { id: "b", n: 2 },
    { id: "a", n: 3 },
  ]);
  expect(after[0]).toBe(before[1]);
  expect(reconcile(before, before.slice(0, 1))).toHaveLength(1);
});
