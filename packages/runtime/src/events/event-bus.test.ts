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
