import { describe, expect, it } from "vitest";
import { sampleSandbox, sampleSession, sampleTurn } from "../store/contract/samples.ts";
import { MemoryRuntimeStore } from "../store/memory/memory-runtime-store.ts";
import { type QuotaOptions, Quotas } from "./quotas.ts";

const never = async () => false;

function made(options: QuotaOptions) {
  const store = new MemoryRuntimeStore();
  const quotas = new Quotas(store, options);
  const create = (sessionId: string, owner = "ann") =>
    quotas.session(owner, () => store.createSession({ ...sampleSession(sessionId), owner }));
  const send = (sessionId: string, turnId: string, isKnown = never) =>
    quotas.turn("ann", sessionId, isKnown, () => store.admitTurn(sampleTurn(sessionId, turnId), 100));
  return { store, quotas, create, send };
}

const outcomes = async (work: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(work)).map((result) => (result.status === "fulfilled" ? "yes" : result.reason.code));

describe("a principal", () => {
  it("has as many sessions as it may, however many it asks for at once, and others have theirs", async () => {
    const { create, store } = made({ default: { sessions: 2 }, principals: { bob: { sessions: 1 } } });
    const asked = await outcomes([create("a"), create("b"), create("c"), create("d", "bob"), create("e", "bob")]);
    expect(asked).toEqual(["yes", "yes", "permission_denied", "yes", "permission_denied"]);
    await expect(create("c")).rejects.toThrow("ann has 2 sessions and may have 2. Delete one that is not needed.");
    await store.deleteSession("a");
    await create("c");
  });

  it("has as many turns as it may; one that was taken before is not refused", async () => {
    const { create, send } = made({ default: { turns: 2 } });
    await create("a");
    await create("b");
    expect(await outcomes([send("a", "1"), send("b", "2"), send("b", "3")])).toEqual([
      "yes",
      "yes",
      "too_many_requests",
    ]);
    await expect(send("a", "3")).rejects.toThrow("ann has 2 turns that wait or run, and may have 2. Try again");
    await expect(send("a", "1", async () => true)).resolves.toMatchObject({ isNew: false });
  });

  it("has as many sandboxes as it may, those that are being made among them", async () => {
    const { create, quotas, send, store } = made({ default: { sandboxes: 2 } });
    for (const id of ["a", "b", "c"]) await create(id);
    await store.putSandbox({ ...sampleSandbox("x"), sessionId: "a" });
    let make = () => {};
    const isMade = new Promise<void>((resolve) => {
      make = resolve;
    });
    const making = quotas.sandbox("ann", "b", () => isMade);
    await expect(quotas.sandbox("ann", "c", async () => {})).rejects.toThrow(
      "ann has 2 sandboxes and may have 2. End one",
    );
    expect(await outcomes([send("a", "1"), send("b", "2"), send("c", "3")])).toEqual([
      "yes",
      "yes",
      "too_many_requests",
    ]);
    make();
    await making;
    await quotas.sandbox("ann", "c", async () => {});
  });

  it("keeps as much as it may", async () => {
    const { create, send } = made({ principals: { ann: { storageBytes: 0 } } });
    await expect(create("a")).rejects.toThrow("The sessions of ann take 0 bytes and may take 0. Delete some of them.");
    await create("b", "__proto__");
    expect(await outcomes([send("b", "1")])).toEqual(["permission_denied"]);
  });
});
