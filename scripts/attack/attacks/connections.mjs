import { once } from "node:events";
import { connect } from "node:net";
import { must, within } from "../daemon.mjs";

const head = "GET /v1/agents HTTP/1.1\r\nhost: localhost\r\nx: ";

function open(/** @type {{ url: string }} */ daemon, text = "") {
  const { hostname, port } = new URL(daemon.url);
  const socket = connect(Number(port), hostname, () => socket.write(text)).on("error", () => {});
  return socket.resume();
}

/** @type {import("../attacks.mjs").Attack[]} */
export const connections = [
  {
    name: "connections that never finish their headers",
    limitMs: 75_000,
    async run(world) {
      const daemon = await world.start();
      const sockets = Array.from({ length: 20 }, (_, at) => open(daemon, at % 2 ? head : ""));
      await within(60_000, "they are not closed", Promise.all(sockets.map((socket) => once(socket, "close"))));
      await daemon.mustBeHealthy();
    },
  },
  {
    name: "more silent connections than there are descriptors",
    async run(world) {
      const daemon = await world.start({ within: ["sh", "-c", 'ulimit -n 256; exec "$0" "$@"'] });
      const sockets = Array.from({ length: 400 }, () => open(daemon, head));
      await Promise.all(sockets.map((socket) => Promise.race([once(socket, "connect"), once(socket, "close")])));
      for (let attempt = 0; attempt < 5; attempt++) await daemon.mustBeHealthy();
      await daemon.create("s");
      await daemon.turn("s", "hello");
      for (const socket of sockets) socket.destroy();
    },
  },
  {
    name: "descriptors used up while turns run",
    async run(world) {
      const daemon = await world.start({ within: ["sh", "-c", 'ulimit -n 128; exec "$0" "$@"'] });
      const ids = Array.from({ length: 12 }, (_, at) => `s${at}`);
      for (const id of ids) await daemon.create(id);
      // They run before the strangers come, who may leave no room for anybody else.
      for (const id of ids) {
        const { status } = await daemon.call("POST", `/v1/sessions/${id}/messages`, { message: "flood 2000 1000" });
        must(status === 202, `the message answers ${status}`);
      }
      const sockets = Array.from({ length: 200 }, () => open(daemon, head));
      await Promise.all(sockets.map((socket) => Promise.race([once(socket, "connect"), once(socket, "close")])));
      for (const socket of sockets) socket.destroy();
      await daemon.mustBeHealthy();
      for (const id of ids) {
        await daemon.mustBecomeIdle(id);
        await daemon.turn(id, "hello");
      }
    },
  },
  {
    name: "CONNECT gets an answer",
    async run(world) {
      const socket = open(await world.start(), "CONNECT a:1 HTTP/1.1\r\nhost: a:1\r\n\r\n");
      const [data] = await within(5_000, "no answer", once(socket, "data"));
      must(String(data).startsWith("HTTP/1.1 400"), `it answers ${data}`);
    },
  },
  {
    name: "a log that nobody reads",
    async run(world) {
      const unread = 'exec 3>&1; "$0" "$@" 2>&1 >&3 | sleep 600';
      const daemon = await world.start({ within: ["sh", "-c", unread] });
      for (let batch = 0; batch < 100; batch++) {
        const path = `/v1/${"long".repeat(400)}`;
        await Promise.all(Array.from({ length: 20 }, () => daemon.call("GET", path)));
      }
      await daemon.mustBeHealthy();
    },
  },
];
