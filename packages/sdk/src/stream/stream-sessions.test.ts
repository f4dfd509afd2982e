import { expect, test } from "vitest";
import { listen, openSse, respondJson, respondProblem } from "../__fixtures__/scripted-server.ts";
import type { SessionInfo, SessionListEvent } from "../api-types.ts";
import { SandboxAgent } from "../client.ts";

const reconnect = { baseMs: 1, maxMs: 5, retries: 3 };
const gone = (sessionId: string): SessionListEvent => ({ type: "session.deleted", sessionId });
const frame = (id: number, event: SessionListEvent): string => `id: e-${id}\ndata: ${JSON.stringify(event)}\n\n`;

test("streamSessions comes back with the last id it has seen whole", async () => {
  const asked: (string | null)[] = [];
  const baseUrl = await listen((request, response) => {
    const after = new URL(request.url!, "http://local").searchParams.get("after");
    asked.push(after);
    openSse(response);
    const from = Number(after?.slice(2) ?? 0) + 1;
    const half = frame(from + 1, gone(`s${from + 1}`)).slice(0, -10);
    response.write(frame(from, gone(`s${from}`)) + half, () => response.destroy());
  });
  const client = await SandboxAgent.connect({ baseUrl, reconnect });
  const seen: SessionListEvent[] = [];
  for await (const event of client.streamSessions()) {
    seen.push(event);
    if (seen.length === 4) break;
  }
  expect(seen).toEqual(["s1", "s2", "s3", "s4"].map(gone));
  expect(asked).toEqual([null, "e-1", "e-2", "e-3"]);
});

test("streamSessions fails at once where the daemon has no such stream", async () => {
  const baseUrl = await listen((_, response) => respondProblem(response, 404, "not_found", "no such route"));
  const client = await SandboxAgent.connect({ baseUrl, reconnect });
  await expect(client.streamSessions().next()).rejects.toMatchObject({ status: 404 });
});

test("iterateSessions reads page after page, with the filters in each", async () => {
  const asked: string[] = [];
  const pages: Record<string, { sessions: Partial<SessionInfo>[]; nextCursor?: string }> = {
    first: { sessions: [{ sessionId: "c" }, { sessionId: "b" }], nextCursor: "second" },
    second: { sessions: [{ sessionId: "a" }] },
  };
  const baseUrl = await listen((request, response) => {
    const url = new URL(request.url!, "http://local");
    asked.push(url.search);
    respondJson(response, 200, pages[url.searchParams.get("cursor") ?? "first"]);
  });
  const client = await SandboxAgent.connect({ baseUrl });
  const ids: string[] = [];
  for await (const { sessionId } of client.iterateSessions({ limit: 2, status: ["idle", "ended"] }))
    ids.push(sessionId);
  expect(ids).toEqual(["c", "b", "a"]);
  expect(asked).toEqual(["?limit=2&status=idle&status=ended", "?limit=2&status=idle&status=ended&cursor=second"]);
});
