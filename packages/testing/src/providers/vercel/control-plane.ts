import type { ServiceCall, ServiceRoute } from "../http-service.ts";
import { Refusal, refuse } from "./refusal.ts";
import type { Sandboxes } from "./sandboxes.ts";
import type { NewSandbox, VercelSandbox } from "./vercel-sandbox.ts";

const pageSize = 50;
const snapshotBytes = 1024 * 1024;

/** A route whose refusals are answered as Vercel does. */
export function vercelRoute(name: string, where: string, work: (call: ServiceCall) => Promise<void>): ServiceRoute {
  const [method, path] = where.split(" ") as [string, string];
  return {
    method,
    path,
    name,
    async handle(call) {
      try {
        await work(call);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refuse(call.response, error.status, error.message, error.code);
      }
    },
  };
}

/** The part of Vercel's API that is about sandboxes. */
export function controlPlane(sandboxes: Sandboxes): readonly ServiceRoute[] {
  return [
    vercelRoute("create", "POST /v3/sandboxes", async (call) => {
      call.answer(200, (await sandboxes.create(await call.json<NewSandbox>())).answer());
    }),
    vercelRoute("list", "GET /v2/sandboxes", async (call) => call.answer(200, pageOf(sandboxes.all, call.query))),
    vercelRoute("snapshots", "GET /v2/sandboxes/snapshots", async (call) => {
      const name = call.query.get("name");
      const found = sandboxes.snapshots.filter(({ sandbox }) => name === null || sandbox === name);
      const snapshots = found.map(({ id, sourceSessionId, createdAt }) => describe(id, sourceSessionId, createdAt));
      call.answer(200, { snapshots, pagination: { count: snapshots.length, next: null } });
    }),
    vercelRoute("get", "GET /v2/sandboxes/:id", async (call) => {
      const name = call.params.id!;
      const resumed = call.query.get("resume") === "true" && (await sandboxes.resume(name));
      call.answer(200, { ...sandboxes.find(name).answer(), resumed });
    }),
    vercelRoute("destroy", "DELETE /v2/sandboxes/:id", async (call) => {
      const withSnapshots = call.query.get("deleteOrphanSnapshots") === "true";
      const destroyed = await sandboxes.destroy(call.params.id!, "request", withSnapshots);
      call.answer(200, { sandbox: destroyed.describe() });
    }),
  ];
}

export const describe = (id: string, sourceSessionId: string, createdAt: number) => ({
  id,
  sourceSessionId,
  region: "iad1",
  status: "created",
  sizeBytes: snapshotBytes,
  createdAt,
  updatedAt: createdAt,
});

/** Newest first; of one tag, if that is wished. */
function pageOf(all: readonly VercelSandbox[], query: URLSearchParams) {
  const tags = query.getAll("tags").map((tag) => tag.split(":") as [string, string]);
  if (tags.length > 1) throw new Refusal(400, "bad_request", "Sandboxes are listed by one tag only.");
  const begin = Number(query.get("cursor") ?? 0);
  const found = all.filter(({ wished }) => tags.every(([key, value]) => wished.tags?.[key] === value));
  const end = begin + Number(query.get("limit") ?? pageSize);
  const page = found.toReversed().slice(begin, end);
  const next = end < found.length ? String(end) : null;
  return { sandboxes: page.map((sandbox) => sandbox.describe()), pagination: { count: page.length, next } };
}
