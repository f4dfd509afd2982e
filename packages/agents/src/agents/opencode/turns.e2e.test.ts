// What a turn tells while it runs, and how it says that it cannot.
import { once } from "node:events";
import { truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { expectSound } from "../../contract/agent-contract.ts";
import { type ScriptedWorld, when } from "../../contract/scripted-world.ts";
import { completedItems, eventsOf } from "../../contract/stream-readers.ts";
import { environment } from "./__fixtures__/contract-scenario.ts";
import { makeOpencodeWorld, runs } from "./__fixtures__/open-opencode.ts";
import { programProblem, whySkipped } from "./__fixtures__/program-problem.ts";
import { adapter } from "./index.ts";

/** The start of a server takes long on a busy machine. */
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const MEGABYTE = 1024 * 1024;

describe.skipIf(programProblem)(`a turn${whySkipped}`, () => {
  let world: ScriptedWorld;
  beforeAll(async () => {
    world = await makeOpencodeWorld([
      when("Begin.", runs("echo begun; sleep 300"), { text: "Ended." }),
      when("Greet me.", { text: "Good morning.", repeat: "forever" }),
    ]);
  });
  afterAll(async () => {
    await adapter.close?.();
    await world.dispose();
  });

  test("shows what a command prints while it runs", async () => {
    const harness = await world.open({ permissionMode: "bypass" });
    onTestFinished(() => harness.dispose());
    const turn = harness.prompt("Begin.");
    let shown = await harness.next("item.delta");
    while (shown.source !== "agent") shown = await harness.next("item.delta");
    expect(shown.data.delta).toBe("begun\n");
    await harness.interrupt();
    const { events, outcome } = await turn;
    expect(outcome.reason).toBe("interrupted");
    const item = completedItems(events).find(({ item_id }) => item_id === shown.data.item_id);
    expect(item).toMatchObject({ kind: "status", content: [{ label: "Output so far" }, { text: "begun\n" }] });
    expectSound(harness);
  });

  test("is refused with a sentence when an image is not there, or larger than any model takes", async () => {
    const harness = await world.open();
    onTestFinished(() => harness.dispose());
    const huge = join(harness.directory, "huge.png");
    await writeFile(huge, "");
    await truncate(huge, 40 * MEGABYTE);
    for (const path of [huge, join(harness.directory, "missing.png")]) {
      const sent = harness.prompt("Greet me.", [{ path, mime: "image/png" }]);
      await expect(sent).rejects.toMatchObject({ code: "invalid_request", message: expect.stringContaining(path) });
    }
    expect((await harness.prompt("Greet me.")).outcome.reason).toBe("completed");
  });

  test("ends with a sentence when the model's stream cannot be read", async () => {
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end('data: {"id":"x","object":"chat.completion.chunk","choices":[{"oops\n\ndata: [DONE]\n\n');
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    onTestFinished(() => void server.close());
    const env = environment(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
    const harness = await world.open({ env });
    onTestFinished(() => harness.dispose());
    const { outcome, events } = await harness.prompt("Greet me.");
    expect(outcome.reason).toBe("error");
    const messages = [outcome.message, ...eventsOf(events, "error").map(({ data }) => data.message)];
    for (const message of messages) expect(message).toMatch(/^[A-Z][^{}[\]\n]*\.( \([^{}[\]\n]*\))?$/);
    expect(messages.join()).not.toMatch(/JSON|SyntaxError|at position/i);
    expectSound(harness);
  });
});
