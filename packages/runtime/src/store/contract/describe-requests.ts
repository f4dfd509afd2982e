import { beforeEach, describe, expect, it } from "vitest";
import type { Lease, RuntimeStore } from "../runtime-store.ts";
import { appendTexts, leased, oddValue } from "./samples.ts";

export function describeRequests(store: () => RuntimeStore): void {
  describe("requests", () => {
    let lease: Lease;

    beforeEach(async () => {
      lease = await leased(store(), "s");
      await appendTexts(store(), lease, ["x"], {
        openedRequests: [
          { requestId: "z", kind: "permission" },
          { requestId: "a", kind: "question" },
        ],
      });
    });

    it("are open, in order, until they are resolved", async () => {
      expect(await store().openRequests("s")).toEqual([
        { requestId: "z", kind: "permission" },
        { requestId: "a", kind: "question" },
      ]);
      await appendTexts(store(), lease, ["y"], { resolvedRequests: ["z"] });
      expect(await store().openRequests("s")).toEqual([{ requestId: "a", kind: "question" }]);
    });

    it.each([oddValue, null, false, "", []])("keep %j as their answer until they are resolved", async (answer) => {
      expect(await store().answerRequest("s", "z", answer)).toBe("kept");
      expect(await store().openRequests("s")).toMatchObject([{ requestId: "z", answer }, { requestId: "a" }]);
      await appendTexts(store(), lease, ["y"], { resolvedRequests: ["z"] });
      expect(await store().openRequests("s")).toEqual([{ requestId: "a", kind: "question" }]);
    });

    it("take the first answer and no other, fifty at once", async () => {
      const answers = Array.from({ length: 50 }, (_, n) => ({ reply: n }));
      const results = await Promise.all(answers.map((answer) => store().answerRequest("s", "z", answer)));
      expect(results.filter((result) => result === "kept")).toHaveLength(1);
      expect(results.filter((result) => result === "answered")).toHaveLength(49);
      const [request] = await store().openRequests("s");
      expect(request?.answer).toEqual(answers[results.indexOf("kept")]);
    });

    it("that are resolved take no answer", async () => {
      await appendTexts(store(), lease, ["y"], { resolvedRequests: ["z"] });
      expect(await store().answerRequest("s", "z", "late")).toBe("answered");
      expect(await store().openRequests("s")).toEqual([{ requestId: "a", kind: "question" }]);
    });

    it("that never were take none either", async () => {
      expect(await store().answerRequest("s", "no", "x")).toBeUndefined();
      expect(await store().answerRequest("no", "z", "x")).toBeUndefined();
    });

    it("keep their answer when they are opened again", async () => {
      await store().answerRequest("s", "z", "first");
      await appendTexts(store(), lease, ["y"], { openedRequests: [{ requestId: "z", kind: "permission" }] });
      expect(await store().openRequests("s")).toMatchObject([{ requestId: "z", answer: "first" }, { requestId: "a" }]);
    });

    it("of other sessions have ids of their own", async () => {
      await appendTexts(store(), await leased(store(), "t"), ["x"], {
        openedRequests: [{ requestId: "z", kind: "question" }],
      });
      await store().answerRequest("s", "z", "to s");
      expect(await store().openRequests("t")).toEqual([{ requestId: "z", kind: "question" }]);
    });
  });
}
