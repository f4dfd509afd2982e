import type { ServiceCall, ServiceRoute } from "../http-service.ts";
import type { Containers, NewContainer } from "./containers.ts";
import { Refusal, refuse, wrong } from "./refusal.ts";

const maxPage = 200;
const maxLogBytes = 1024 * 1024;

/** The HTTP API of the Worker, but for ports of containers. */
export function routesOf(containers: Containers): ServiceRoute[] {
  return [
    route("GET", "/", "get", async (call) => call.answer(200, { service: "sandbox-agent-boxes", version: 1 })),
    route("GET", "/boxes", "list", async (call) => {
      const label = call.query.get("label") ?? "";
      const colon = label.indexOf(":");
      if (colon < 1) throw wrong("label is key:value.");
      const limit = Math.min(Number(call.query.get("limit") ?? maxPage), maxPage);
      const wanted = { key: label.slice(0, colon), value: label.slice(colon + 1) };
      call.answer(200, containers.list(wanted, call.query.get("after") ?? "", limit));
    }),
    route("PUT", "/boxes/:id", "create", async (call) =>
      call.answer(200, await containers.create(idOf(call), await call.json<NewContainer>())),
    ),
    route("GET", "/boxes/:id", "get", async (call) => call.answer(200, await containers.look(idOf(call)))),
    route("DELETE", "/boxes/:id", "destroy", async (call) => {
      await containers.end(idOf(call), "request", "It was destroyed.");
      call.answer(204);
    }),
    route("POST", "/boxes/:id/keep", "extend", async (call) => {
      await containers.keep(idOf(call), (await call.json<{ ms: number }>()).ms);
      call.answer(200, await containers.look(idOf(call)));
    }),
    route("PUT", "/boxes/:id/daemon", "run", async (call) => {
      const { daemon } = await containers.running(idOf(call));
      await daemon.start(await call.bytes());
      call.answer(204);
    }),
    route("PUT", "/boxes/:id/file", "write", async (call) => {
      const { daemon } = await containers.running(idOf(call));
      await daemon.write(call.query.get("path") ?? "", call.query.get("mode") ?? "644", await call.bytes());
      call.answer(204);
    }),
    route("GET", "/boxes/:id/logs", "logs", async (call) => {
      const { daemon } = await containers.running(idOf(call));
      call.response.end(daemon.logs(Math.min(Number(call.query.get("bytes") ?? maxLogBytes), maxLogBytes)));
    }),
  ];
}

const idOf = ({ params }: ServiceCall) => params.id!;

function route(method: string, path: string, name: string, handle: (call: ServiceCall) => Promise<void>): ServiceRoute {
  return {
    ...{ method, path, name },
    async handle(call) {
      try {
        await handle(call);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refuse(call.response, error.status, error.message, error.code);
      }
    },
  };
}
