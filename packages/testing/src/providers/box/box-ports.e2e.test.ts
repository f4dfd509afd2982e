// The network of a box is its own; what leads in and out is what was asked for.

import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { shell, testBoxes, withoutBoxes } from "./__fixtures__/test-boxes.ts";
import type { Box } from "./box.ts";

const echo = `require("node:net").createServer({ allowHalfOpen: true }, (socket) => {
  socket.write("hello ");
  socket.pipe(socket);
}).listen(3000, "127.0.0.1", () => console.log("ready"));`;

async function serveEcho(box: Box): Promise<void> {
  const { stdout } = await box.exec(["node", "-e", echo]);
  for await (const _ of stdout) break;
}

async function outside(answer: (socket: Socket) => void): Promise<number> {
  const server: Server = createServer({ allowHalfOpen: true }, answer).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

const client = (port: number, host = "127.0.0.1") =>
  `const s = require("node:net").connect(${port}, "${host}"); s.on("data", (d) => process.stdout.write(d)); s.on("error", (e) => console.log(e.code)); s.end("from inside");`;

describe.skipIf(withoutBoxes)(`ports of a box${withoutBoxes}`, () => {
  const boxes = testBoxes();

  it("are connected to from here, both halves of a connection for themselves", async () => {
    const box = await boxes.create();
    await serveEcho(box);
    const connection = await box.connect(3000);
    connection.end("world");
    expect(await text(connection)).toBe("hello world");
    await expect(box.connect(3001)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });

  it("are published at one place, also over a stop and a start", async () => {
    const box = await boxes.create();
    const port = await box.publish(3000);
    expect(await box.publish(3000)).toBe(port);
    const refused = connect(port, "127.0.0.1");
    expect(await once(refused, "error")).toMatchObject([{ code: "ECONNRESET" }]);
    await serveEcho(box);
    const before = connect(port, "127.0.0.1");
    await once(before, "data");
    await Promise.all([once(before, "close"), box.stop()]);
    await box.start();
    await serveEcho(box);
    const after = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    after.end("again");
    expect(await text(after)).toBe("hello again");
  });

  it("of this machine are reached inside where that was asked for, and no others", async () => {
    const answer = (socket: Socket) => void socket.pipe(socket);
    const [first, later, never] = [await outside(answer), await outside(answer), await outside(answer)];
    const box = await boxes.create({ reachable: [first] });
    await box.reach(later);
    await box.reach(later);
    expect((await box.run(["node", "-e", client(first)])).stdout).toBe("from inside");
    expect((await box.run(["node", "-e", client(never)])).stdout).toBe("ECONNREFUSED\n");
    await box.stop();
    await box.start();
    expect((await box.run(["node", "-e", client(later)])).stdout).toBe("from inside");
  });

  it("see a port of this machine where nobody listens as a connection that ends", async () => {
    const gone = await outside(() => {});
    const box = await boxes.create({ reachable: [gone] });
    expect((await box.run(["node", "-e", client(9, "192.0.2.1")])).stdout).toBe("ENETUNREACH\n");
    expect(await shell(box, "cat /proc/net/dev | tail -n +3 | wc -l")).toBe("1");
  });

  it("of two boxes are not the same", async () => {
    const [one, other] = [await boxes.create(), await boxes.create()];
    await serveEcho(one);
    await expect(other.connect(3000)).rejects.toMatchObject({ code: "ECONNREFUSED" });
  });
});
