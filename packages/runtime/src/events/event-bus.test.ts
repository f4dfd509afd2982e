import { expect, test, vi } from "vitest";
import { EventBus } from "./event-bus.ts";

test("those who listen are told, until they stop", () => {
  const bus = new EventBus();
  const told: string[] = [];
  const stop = bus.on("session:created", ({ sessionId }) => void told.push(sessionId));
  bus.emit("session:created", { sessionId: "a" });
  bus.emit("session:deleted", { sessionId: "a" });
  stop();
  bus.emit("session:created", { sessionId: "b" });
  expect(told).toEqual(["a"]);
});

test("a listener that throws keeps nobody from being told", () => {
  const failed = vi.fn();
  const bus = new EventBus(failed);
  const told = vi.fn();
  bus.on("sessions:changed", () => {
    throw new Error("listener");
  });
  bus.on("sessions:changed", told);
  bus.emit("sessions:changed", { owner: "ann" });
  expect(told).toHaveBeenCalledOnce();
  expect(failed).toHaveBeenCalledWith(new Error("listener"));
});

test("who listens to one session is told of that one, and it is known whether anybody does", () => {
  const bus = new EventBus();
  const told: string[] = [];
  const heard: boolean[] = [];
  const names = ["session:deleted"] as const;
  const leave = bus.onAudience("a", () => heard.push(bus.isHeard(names, "a")));
  const stopOne = bus.on("session:deleted", ({ sessionId }) => void told.push(`one ${sessionId}`), "a");
  expect([bus.isHeard(names, "a"), bus.isHeard(names, "b"), bus.isHeard(names)]).toEqual([true, false, false]);
  const stopAll = bus.on("session:deleted", ({ sessionId }) => void told.push(`all ${sessionId}`));
  bus.on("session:deleted", () => {}, "b")();
  for (const sessionId of ["a", "b"]) bus.emit("session:deleted", { sessionId });
  stopOne();
  expect(bus.isHeard(names, "a")).toBe(true);
  stopAll();
  leave();
  bus.on("session:deleted", () => {}, "a");
  expect(told).toEqual(["all a", "one a", "all b"]);
  expect(heard).toEqual([true, true, true, false]);
});
