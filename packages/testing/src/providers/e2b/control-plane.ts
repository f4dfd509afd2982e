import type { ServiceCall, ServiceRoute } from "../http-service.ts";
import type { E2bSandbox, NewSandbox } from "./e2b-sandbox.ts";
import { Refusal, type Sandboxes } from "./sandboxes.ts";

const pageSize = 100;
const connectSeconds = 15;

/** The part of E2B's API that is about sandboxes. */
export function controlPlane(sandboxes: Sandboxes): readonly ServiceRoute[] {
  const route = (name: string, where: string, work: (call: ServiceCall) => Promise<void>): ServiceRoute => {
    const [method, path] = where.split(" ") as [string, string];
    return { method, path, name, handle: (call) => work(call).catch((error: unknown) => refuse(call, error)) };
  };
  return [
    route("create", "POST /v2/sandboxes", async (call) => {
      const sandbox = await sandboxes.create(await call.json<NewSandbox>());
      call.answer(201, sandbox.access(sandboxes.domain));
    }),
    route("list", "GET /v2/sandboxes", async (call) => {
      const { page, nextToken } = pageOf(sandboxes.all, call.query);
      const headers: Record<string, string> = nextToken === undefined ? {} : { "x-next-token": nextToken };
      call.answer(
        200,
        page.map((sandbox) => sandbox.listed()),
        headers,
      );
    }),
    route("get", "GET /sandboxes/:id", async (call) => {
      call.answer(200, sandboxes.find(call.params.id!).detail(sandboxes.domain));
    }),
    route("destroy", "DELETE /sandboxes/:id", async (call) => {
      await sandboxes.kill(call.params.id!, "request");
      call.answer(204);
    }),
    route("resume", "POST /v2/sandboxes/:id/connect", async (call) => {
      const { timeout = connectSeconds, memory = true } = await call.json<{ timeout?: number; memory?: boolean }>();
      const id = call.params.id!;
      const wasPaused = await sandboxes.connect(id, timeout, memory);
      call.answer(wasPaused ? 201 : 200, sandboxes.find(id).access(sandboxes.domain));
    }),
    route("suspend", "POST /sandboxes/:id/pause", async (call) => {
      const { memory = true } = await call.json<{ memory?: boolean }>();
      await sandboxes.pause(call.params.id!, memory);
      call.answer(204);
    }),
    route("extend", "POST /sandboxes/:id/timeout", async (call) => {
      sandboxes.setTimeout(call.params.id!, (await call.json<{ timeout: number }>()).timeout);
      call.answer(204);
    }),
  ];
}

/** Newest first, a page at a time; the token says which one was the last. */
function pageOf(all: readonly E2bSandbox[], query: URLSearchParams) {
  const states = query.get("state")?.split(",") ?? ["running", "paused"];
  const wanted = metadataOf(query.get("metadata"));
  const matches = ({ state, wished: { metadata = {} } }: E2bSandbox) =>
    states.includes(state) && wanted.every(([key, value]) => metadata[key] === value);
  const placeOf = ({ startedAt, id }: E2bSandbox) => `${String(startedAt).padStart(16, "0")} ${id}`;
  const last = query.get("nextToken");
  const left = all
    .filter(matches)
    .sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1))
    .filter((sandbox) => last === null || placeOf(sandbox) < Buffer.from(last, "base64url").toString());
  const page = left.slice(0, Number(query.get("limit") ?? pageSize));
  const hasMore = left.length > page.length && page.length > 0;
  return { page, nextToken: hasMore ? Buffer.from(placeOf(page.at(-1)!)).toString("base64url") : undefined };
}

/** Encoded twice, once as a form. */
function metadataOf(filter: string | null): readonly (readonly [string, string])[] {
  return [...new URLSearchParams(filter ?? "")].map(([key, value]) => [
    decodeURIComponent(key),
    decodeURIComponent(value),
  ]);
}

function refuse(call: ServiceCall, error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
  call.answer(error.status, { code: error.status, message: error.message });
}
