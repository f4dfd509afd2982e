/** Feared: numbers that are not what happened, or that grow with every session, and an open door to them. */
import { expect, test } from "vitest";
import { killDaemon, startTestRuntime, turnsOf } from "../__fixtures__/test-runtime.ts";

const long = 180_000;

async function scrape(url: string, key: string): Promise<string> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
  return response.text();
}

function metric(text: string, series: string): number {
  const line = text.split("\n").find((each) => each.startsWith(`${series} `));
  expect(line, series).toBeDefined();
  return Number(line!.slice(series.length + 1));
}

test(
  "metrics count what happened, need a key, and have no label that a client chooses",
  async () => {
    const { client, runtime, gateway, store } = await startTestRuntime();
    const { key } = await runtime.keys.create({ name: "prometheus", scope: "read" });
    expect((await fetch(`${gateway.url}/metrics`)).status).toBe(401);
    const before = await scrape(gateway.url, key);
    for (const status of ["starting", "ready", "unhealthy", "warm"]) {
      expect(metric(before, `sandbox_agent_sandboxes{status="${status}"}`)).toBe(0);
    }
    expect(metric(before, "process_resident_memory_bytes")).toBeGreaterThan(0);

    await client.createSession("a-session-of-ann", { agent: "mock" });
    await client.postMessage("a-session-of-ann", { message: "echo one" });
    await turnsOf(client, "a-session-of-ann", 1);
    await client.postMessage("a-session-of-ann", { message: "permission" });
    for await (const event of client.streamEvents("a-session-of-ann")) if (event.type === "permission.requested") break;
    killDaemon((await store.sandboxOf("a-session-of-ann"))!.providerId);
    const events = await turnsOf(client, "a-session-of-ann", 2);
    await fetch(`${gateway.url}/no/such/place`, { headers: { authorization: `Bearer ${key}` } });

    const after = await scrape(gateway.url, key);
    expect(metric(after, "sandbox_agent_sessions_loaded")).toBe(1);
    expect(metric(after, 'sandbox_agent_sandboxes{status="ready"}')).toBe(1);
    expect(metric(after, 'sandbox_agent_turns_total{reason="completed"}')).toBe(1);
    expect(metric(after, 'sandbox_agent_turns_total{reason="error"}')).toBe(1);
    expect(metric(after, "sandbox_agent_sandbox_restarts_total")).toBe(1);
    const written =
      metric(after, 'sandbox_agent_events_total{source="sandbox"}') +
      metric(after, 'sandbox_agent_events_total{source="runtime"}');
    // The first event is written with the session itself.
    expect(written).toBeGreaterThanOrEqual(events.length - 1);
    expect(metric(after, 'sandbox_agent_events_total{source="sandbox"}')).toBeGreaterThan(0);
    expect(metric(after, "sandbox_agent_append_duration_seconds_count")).toBeGreaterThan(0);
    const posts = 'method="POST",route="/v1/sessions/{sessionId}/messages",status="202"';
    expect(metric(after, `sandbox_agent_http_requests_total{${posts}}`)).toBe(2);
    const strangers = 'method="GET",route="other",status="404"';
    expect(metric(after, `sandbox_agent_http_requests_total{${strangers}}`)).toBe(1);
    expect(after).not.toMatch(/a-session-of-ann|no\/such\/place/);
  },
  long,
);
