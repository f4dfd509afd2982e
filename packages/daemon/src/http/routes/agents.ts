import { AgentInstallRequest } from "@sandbox-agent-ts/protocol";
import type { Hono } from "hono";
import { sendJson } from "../compression.ts";
import { type HttpContext, maxJsonBytes } from "../http-context.ts";
import { readJson } from "../validate.ts";

export function agentRoutes(app: Hono, { agents }: HttpContext): void {
  app.get("/v1/agents", async (c) => sendJson(c, { agents: await agents.list() }));

  app.post("/v1/agents/:agent/install", async (c) => {
    const { reinstall } = await readJson(c, AgentInstallRequest, { optional: true, maxBytes: maxJsonBytes });
    return c.json(await agents.install(c.req.param("agent"), { reinstall: reinstall ?? false }));
  });

  app.get("/v1/agents/:agent/modes", async (c) => {
    const { adapter, agentHost } = await agents.get(c.req.param("agent"));
    return c.json({ modes: await adapter.modes(agentHost) });
  });

  app.get("/v1/agents/:agent/models", async (c) => {
    const { adapter, agentHost } = await agents.get(c.req.param("agent"));
    return sendJson(c, await adapter.models(agentHost));
  });
}
