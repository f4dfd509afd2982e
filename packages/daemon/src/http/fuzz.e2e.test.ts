/** Feared: an input nobody thought of: a crash, a hang, an answer that is not documented, an error without a problem body. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ProblemDetails, type Route } from "@sandbox-agent-ts/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type AnyRequest, anyRequest } from "../__fixtures__/any-request.ts";
import { agentText, type Client, session } from "../__fixtures__/client.ts";
import { DaemonProcess } from "../__fixtures__/daemon-process.ts";
import { exchange } from "../__fixtures__/exchange.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";

const runs = 600;
const openApi = JSON.parse(readFileSync(new URL("../../../../docs/openapi.json", import.meta.url), "utf8")) as {
  paths: Record<string, Record<string, { responses: Record<string, unknown> }>>;
};

function documentedStatuses({ path, method }: Route): number[] {
  return Object.keys(openApi.paths[path]?.[method.toLowerCase()]?.responses ?? {}).map(Number);
}

const everyStatus = new Set(
  Object.values(openApi.paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ responses }) => Object.keys(responses).map(Number)),
  ),
);

/** What was deleted or ended is there again, so that requests find something to work on. */
async function restore(client: Client): Promise<void> {
  for (const [id, agent] of [
    ["mock-session", "mock"],
    ["fake-session", "fake"],
  ] as const) {
    const { status, text } = await client.call("GET", session(id));
    if (status === 200 && !JSON.parse(text).ended) continue;
    await client.call("DELETE", session(id));
    await client.create(id, { agent });
  }
}

async function expectDocumented(url: string, request: AnyRequest): Promise<number> {
  const { route, isProper } = request;
  const { status, headers, text } = await exchange(url, request);
  expect(isProper ? documentedStatuses(route) : [...everyStatus]).toContain(status);
  expect(status, text).toBeLessThan(500);
  if (request.method === "HEAD") {
    expect(text).toBe("");
  } else if (status >= 400) {
    expect(headers["content-type"]).toBe("application/problem+json");
    const problem = ProblemDetails.parse(JSON.parse(text));
    expect(problem.status).toBe(status);
    expect(problem.detail).toMatch(/[.?)"]$/);
  } else if (isProper && route.response.type === "application/json") {
    route.response.schema?.parse(JSON.parse(text));
  }
  return status;
}

test(`${runs} requests of every kind to every route`, { timeout: 60_000 }, async () => {
  const dataDir = temporaryDirectory();
  const cwd = join(temporaryDirectory(), "so", "deep", "that", "no", "path", "leads", "out");
  mkdirSync(cwd, { recursive: true });
  const daemon = await DaemonProcess.start({ dataDir, cwd, fsRoots: [cwd], logLevel: "error" });
  const { client } = daemon;
  await restore(client);
  await client.create("ended");
  await client.turn("ended", "end");

  const property = fc.asyncProperty(anyRequest, async (request) => {
    const status = await expectDocumented(daemon.url, request);
    if (status === 204) await restore(client);
  });
  await fc.assert(property, { numRuns: runs });

  await client.create("afterwards", { agent: "fake" });
  expect(agentText(await client.turn("afterwards", "still here"))).toBe("still here");
  expect(await daemon.stop()).toBe(0);
  expect(daemon.stderr).toBe("");
});
