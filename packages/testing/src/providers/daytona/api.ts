import { randomBytes } from "node:crypto";
import type { ServiceCall, ServiceRoute } from "../http-service.ts";
import type { DaytonaSandbox, NewSandbox } from "./daytona-sandbox.ts";
import type { PreviewPorts } from "./preview-ports.ts";
import { Refusal, route } from "./refusal.ts";
import type { Sandboxes } from "./sandboxes.ts";

const defaultPageSize = 100;
const defaultSignedSeconds = 60;
const longestSignedSeconds = 24 * 60 * 60;

export interface ApiOptions {
  readonly sandboxes: Sandboxes;
  readonly ports: PreviewPorts;
  readonly toolboxUrl: () => string;
}

/** The part of Daytona's API that is about sandboxes. */
export function api({ sandboxes, ports, toolboxUrl }: ApiOptions): readonly ServiceRoute[] {
  const at = (name: string, where: string, work: (call: ServiceCall) => Promise<void>) => {
    const [method, path] = where.split(" ");
    return route(name, `${method} /api/sandbox${path}`, work);
  };
  const changed = (name: string, where: string, change: (call: ServiceCall) => DaytonaSandbox) =>
    at(name, where, async (call) => call.answer(200, change(call).detail(toolboxUrl())));
  return [
    at("create", "POST ", async (call) => {
      call.answer(200, sandboxes.create(await call.json<NewSandbox>()).detail(toolboxUrl()));
    }),
    at("list", "GET ", async (call) => {
      const { page, nextCursor } = pageOf(sandboxes.all, call.query);
      call.answer(200, { items: page.map((sandbox) => sandbox.listed(toolboxUrl())), nextCursor });
    }),
    changed("get", "GET /:id", ({ params }) => sandboxes.find(params.id!)),
    changed("destroy", "DELETE /:id", ({ params }) => sandboxes.destroy(params.id!)),
    changed("resume", "POST /:id/start", ({ params }) => sandboxes.start(params.id!)),
    changed("suspend", "POST /:id/stop", ({ params }) => sandboxes.stop(params.id!)),
    changed("extend", "POST /:id/autostop/:minutes", ({ params }) =>
      sandboxes.setStopMinutes(params.id!, Number(params.minutes)),
    ),
    at("extend", "POST /:id/last-activity", async ({ params, answer }) => {
      sandboxes.touch(sandboxes.find(params.id!));
      answer(201);
    }),
    at("labels", "PUT /:id/labels", async (call) => {
      const sandbox = sandboxes.find(call.params.id!);
      sandbox.labels = (await call.json<{ labels: Record<string, string> }>()).labels;
      call.answer(200, { labels: sandbox.labels });
    }),
    at("toolbox", "GET /:id/toolbox-proxy-url", async ({ answer }) => answer(200, { url: toolboxUrl() })),
    at("endpoint", "GET /:id/ports/:port/preview-url", async ({ params, answer }) => {
      const { id, previewToken: token } = sandboxes.find(params.id!);
      answer(200, { sandboxId: id, url: await ports.urlOf(id, portOf(params.port)), token });
    }),
    at("endpoint", "GET /:id/ports/:port/signed-preview-url", async ({ params, query, answer }) => {
      const { id } = sandboxes.find(params.id!);
      const seconds = Number(query.get("expiresInSeconds") ?? defaultSignedSeconds);
      if (!(seconds >= 1 && seconds <= longestSignedSeconds))
        throw new Refusal(400, "expiresInSeconds must be between 1 second and 24 hours");
      const [port, token] = [portOf(params.port), randomBytes(8).toString("hex")];
      answer(200, { sandboxId: id, port, token, url: await ports.signedUrlOf(id, port, token, seconds) });
    }),
    at("endpoint", "POST /:id/ports/:port/signed-preview-url/:token/expire", async ({ params, answer }) => {
      sandboxes.find(params.id!);
      await ports.expire(params.token!);
      answer(201);
    }),
  ];
}

/** Newest first, a page at a time; the cursor says how many there were before. Those that are being destroyed are left out. */
function pageOf(all: readonly DaytonaSandbox[], query: URLSearchParams) {
  const wanted = Object.entries(JSON.parse(query.get("labels") ?? "{}") as Record<string, string>);
  const states = query.getAll("states").flatMap((text) => text.split(","));
  const matches = ({ state, labels }: DaytonaSandbox) =>
    state !== "destroying" &&
    (states.length === 0 || states.includes(state)) &&
    wanted.every(([key, value]) => labels[key] === value);
  const found = all.filter(matches).toReversed();
  const from = Number(query.get("cursor") ?? 0);
  const to = from + Number(query.get("limit") ?? defaultPageSize);
  return { page: found.slice(from, to), nextCursor: to < found.length ? String(to) : null };
}

function portOf(text = ""): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Refusal(400, "Invalid port");
  return port;
}
