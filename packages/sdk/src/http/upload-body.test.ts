/** Feared: a body that goes on being read though nobody wants it any more. */
import { EventEmitter, once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { bodyOf, listen, respondJson, respondProblem } from "../__fixtures__/scripted-server.ts";
import { SandboxAgent } from "../client.ts";

const query = { path: "f" };
const chunk = new Uint8Array(64 * 1024);

/** A body without an end, and the promise that somebody lets go of it. */
function endless() {
  const body = new EventEmitter();
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await setImmediate();
      controller.enqueue(chunk);
    },
    cancel: () => void body.emit("cancel"),
  });
  return { stream, cancelled: once(body, "cancel") };
}

describe("a stream as body", () => {
  test("arrives whole, whatever it is made of", async () => {
    const baseUrl = await listen(async (request, response) => respondJson(response, 200, await bodyOf(request)));
    const client = await SandboxAgent.connect({ baseUrl });
    const words = ["grü", "ße", ""].map((word) => new TextEncoder().encode(word));
    expect(await client.writeFsFile(query, ReadableStream.from(words))).toBe("grüße");
    expect(await client.uploadFsBatch(new Blob(["tar"]).stream())).toBe("tar");
  });

  test("is let go of when the daemon refuses it", async () => {
    const baseUrl = await listen((_, response) => respondProblem(response, 403, "permission_denied", "Outside."));
    const client = await SandboxAgent.connect({ baseUrl });
    const { stream, cancelled } = endless();
    await expect(client.writeFsFile(query, stream)).rejects.toMatchObject({ code: "permission_denied" });
    await cancelled;
  });

  test("is let go of when the connection is lost", async () => {
    const baseUrl = await listen((request) => request.once("data", () => request.destroy()));
    const client = await SandboxAgent.connect({ baseUrl });
    const { stream, cancelled } = endless();
    await expect(client.writeFsFile(query, stream)).rejects.toMatchObject({ status: 0 });
    await cancelled;
  });

  test("that breaks breaks the call, with the reason", async () => {
    const baseUrl = await listen((request) => void request.resume());
    const client = await SandboxAgent.connect({ baseUrl });
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error("the disk is gone")) });
    await expect(client.writeFsFile(query, body)).rejects.toThrow("PUT /v1/fs/file failed: the disk is gone.");
  });
});
