import { expect, test } from "vitest";
import { Client } from "../__fixtures__/client.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

test("health is for everybody; what is held in memory needs the token", async () => {
  const { client, url } = await startTestDaemon({ token: "secret" });
  await client.create("s");
  const stranger = new Client(url);
  expect((await stranger.call("GET", "/v1/health")).json()).not.toHaveProperty("memory");
  expect((await stranger.call("GET", "/v1/health?x=1")).status).toBe(200);
  for (const query of ["details=true", "det%61ils=true", "x=1&details=true", "details"]) {
    expect((await stranger.call("GET", `/v1/health?${query}`)).status, query).toBe(401);
  }
  const { memory } = (await client.call("GET", "/v1/health?details=true")).json<{ memory: Record<string, number> }>();
  expect(memory).toMatchObject({ sessions: 1, openText: 0, queuedText: 0 });
  expect(memory.rss).toBeGreaterThan(memory.heapUsed!);
  expect(memory.heapLimit).toBeGreaterThan(memory.heapUsed!);
  expect((await client.call("GET", "/v1/health?details=maybe")).status).toBe(400);
});
