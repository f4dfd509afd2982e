/** Feared: a runtime that is started with another provider: sandboxes that run for ever, and turns that nobody ends. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { startTestRuntime, turnsOf } from "../__fixtures__/test-runtime.ts";
import { createLocalProvider } from "./local/local-provider.ts";
import type { SandboxProvider } from "./sandbox-provider.ts";

const long = 180_000;

test(
  "what another provider made is ended, when it answers, and its sessions go on in new sandboxes with their files",
  async () => {
    const top = realpathSync(mkdtempSync(join(tmpdir(), "former-")));
    onTestFinished(() => rmSync(top, { recursive: true, force: true, maxRetries: 3 }));
    const make = (name: string): SandboxProvider =>
      Object.assign(createLocalProvider({ root: join(top, name), isolation: "none" }), { name });
    const first = await startTestRuntime({ makeProvider: () => make("first") });
    for (const id of ["idle", "busy"]) {
      await first.client.createSession(id, { agent: "mock" });
      await first.client.postMessage(id, { message: "echo one" });
      await first.client.writeFsFile({ sessionId: id, path: "notes" }, `of ${id}`);
      await turnsOf(first.client, id, 1);
    }
    await first.client.postMessage("busy", { message: "permission" });
    await vi.waitFor(async () => expect(await first.client.getSession("busy")).toMatchObject({ status: "waiting" }));
    await first.gateway.close();
    await first.runtime.close();
    expect(await first.sandboxes()).toHaveLength(2);

    const former = make("first");
    const attach = former.attach.bind(former);
    let refusals = 2;
    former.attach = async (id, signal) => {
      if (refusals-- > 0) throw new Error("The engine is away.");
      return attach(id, signal);
    };
    const dispose = vi.spyOn(former, "dispose");
    const next = await first.again({
      makeProvider: () => make("second"),
      formerProviders: [former],
      limits: { reapIntervalMs: 50 },
    });
    expect((await turnsOf(next.client, "busy", 2)).at(-1)).toMatchObject({
      data: { metadata: { reason: "error", message: expect.stringContaining('the provider "first" made it') } },
    });
    expect(await next.client.getSession("busy")).toMatchObject({
      runtime: { sandbox: { status: "terminated", provider: "first" } },
    });
    await vi.waitFor(() => expect(dispose).toHaveBeenCalledOnce(), { timeout: 30_000 });
    expect([await first.sandboxes(), refusals < 0]).toEqual([[], true]);

    for (const id of ["idle", "busy"]) {
      await next.client.postMessage(id, { message: "echo two" });
      await turnsOf(next.client, id, id === "idle" ? 2 : 3);
      expect(await next.client.getSession(id)).toMatchObject({
        runtime: { sandbox: { status: "ready", generation: 2, provider: "second" } },
      });
      const notes = await next.client.readFsFile({ sessionId: id, path: "notes" });
      expect(new TextDecoder().decode(notes)).toBe(`of ${id}`);
    }
  },
  long,
);
