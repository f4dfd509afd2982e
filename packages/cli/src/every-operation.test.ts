/** Feared: an operation that is in the documents and not in the house. One table of routes; everybody has all of it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Daemon, startDaemon } from "@sandbox-agent-ts/daemon";
import { routes } from "@sandbox-agent-ts/protocol";
import { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { apiCommands } from "./commands/api-commands.ts";

const routeIds = routes.map(({ id }) => id).toSorted();

it("is a command of the CLI", () => {
  expect([...new Set(apiCommands.map(({ route }) => route))].toSorted()).toEqual(routeIds);
});

it("is a method of the SDK", () => {
  expect(routeIds.filter((id) => !(id in SandboxAgent.prototype))).toEqual([]);
});

describe("is served by the daemon:", () => {
  const root = mkdtempSync(join(tmpdir(), "every-operation-"));
  let daemon: Daemon;

  beforeAll(async () => {
    daemon = await startDaemon({
      version: "0.0.0-test",
      host: "127.0.0.1",
      port: 0,
      token: null,
      cors: { origins: [], methods: [], headers: [], credentials: false },
      dataDir: null,
      fsRoots: [root],
      logLevel: "silent",
      env: {},
    });
  });
  afterAll(async () => {
    await daemon.close();
    rmSync(root, { recursive: true });
  });

  /** What the daemon says to an operation on things that do not exist: a status, and the code of a problem. */
  async function ask(method: string, path: string): Promise<{ status: number; code: string | undefined }> {
    const response = await fetch(daemon.url + path.replaceAll(/\{\w+\}/g, "nobody"), { method });
    if (!response.headers.get("content-type")?.includes("json")) {
      await response.body?.cancel();
      return { status: response.status, code: undefined };
    }
    const body = (await response.json()) as { type?: string };
    return { status: response.status, code: response.ok ? undefined : body.type?.split(":").at(-1) };
  }

  it.each(routes.map(({ method, path }) => [method, path]))("%s %s", async (method, path) => {
    const { code } = await ask(method, path);
    expect(["not_found", "method_not_allowed", "internal_error"]).not.toContain(code);
  });

  it("which would say so if it were not", async () => {
    expect(await ask("GET", "/v1/nothing")).toEqual({ status: 404, code: "not_found" });
    expect(await ask("PUT", "/v1/sessions/{sessionId}")).toEqual({ status: 405, code: "method_not_allowed" });
  });
});
