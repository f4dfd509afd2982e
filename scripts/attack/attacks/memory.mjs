import { once } from "node:events";
import { connect } from "node:net";
import { must } from "../daemon.mjs";

const megabyte = 1024 * 1024;

/** @type {import("../attacks.mjs").Attack[]} */
export const memory = [
  {
    name: "a message of 200 MB with a heap of 256 MB, and the start after it",
    limitMs: 240_000,
    async run(world) {
      const nodeFlags = ["--max-old-space-size=256"];
      const first = await world.start({ nodeFlags });
      await first.create("s");
      await first.turn("s", `flood 200 ${megabyte}`, 120_000);
      await first.mustBeHealthy();
      await first.kill();
      const second = await world.start({ nodeFlags });
      const info = await second.call("GET", "/v1/sessions/s");
      must(info.status === 200, `the session answers ${info.status}`);
      await second.turn("s", "hello");
    },
  },
  {
    name: "control characters, six bytes each in JSON, in one message",
    limitMs: 240_000,
    async run(world) {
      const daemon = await world.start();
      await daemon.create("s");
      await daemon.turn("s", `flood 95 ${megabyte} control`, 180_000);
      await daemon.mustBeHealthy();
    },
  },
  {
    name: "readers that stop before a large event",
    limitMs: 120_000,
    async run(world) {
      const daemon = await world.start();
      await daemon.create("s");
      await daemon.turn("s", "once 15", 90_000);
      const before = daemon.memory;
      const { hostname, port } = new URL(daemon.url);
      const sockets = Array.from({ length: 20 }, () => connect(Number(port), hostname));
      for (const socket of sockets) {
        socket.on("error", () => {});
        await once(socket, "connect");
        socket.write("GET /v1/sessions/s/events/sse HTTP/1.1\r\nhost: localhost\r\n\r\n");
      }
      for (let look = 0; look < 20; look++) await daemon.mustBeHealthy();
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      const grown = daemon.memory - before;
      for (const socket of sockets) socket.destroy();
      must(grown < 300, `memory grew by ${Math.round(grown)} MB for 20 readers of 15 MB`);
    },
  },
  {
    name: "long messages with idempotency keys",
    limitMs: 180_000,
    async run(world) {
      const daemon = await world.start();
      await daemon.create("s");
      await daemon.turn("s", `echo ${"x".repeat(8 * megabyte)}`, 45_000, { "idempotency-key": "warm" });
      const before = daemon.memory;
      for (let key = 0; key < 12; key++) {
        await daemon.turn("s", `echo ${"x".repeat(8 * megabyte)}`, 45_000, { "idempotency-key": `k${key}` });
      }
      const grown = daemon.memory - before;
      must(grown < 300, `memory grew by ${Math.round(grown)} MB`);
    },
  },
  {
    name: "values of other types than the protocol says",
    async run(world) {
      const daemon = await world.start();
      await daemon.create("s");
      const text = await daemon.turn("s", "odd");
      must(text.includes("still here"), "what was said after them is gone");
      const { events } = (await daemon.call("GET", "/v1/sessions/s/events")).json();
      for (const { data } of events) {
        const title = data?.item?.title ?? "";
        must(typeof title === "string", `an event has the title ${JSON.stringify(title)}`);
      }
    },
  },
];
