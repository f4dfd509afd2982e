import { AgentInstallRequest } from "@sandbox-agent-ts/protocol";
import type { Hono } from "hono";
import { sendJson } from "../compression.ts";
import { type ApiServices, maxJsonBytes } from "../services.ts";
import { readJson } from "../validate.ts";

export function agentRoutes(app: Hono, { agents }: ApiServices): void {
  app.get("/v1/agents", async (c) => sendJson(c, { agents: await agents.list() }));

  app.post("/v1/agents/:agent/install", async (c) => {
    const { reinstall } = await readJson(c, AgentInstallRequest, { optional: true, maxBytes: maxJsonBytes });
    return c.json(await agents.install(c.req.param("agent"), { reinstall: reinstall ?? false }));
  });

  app.get("/v1/agents/:agent/modes", async (c) => {
    return c.json(await agents.modes(c.req.param("agent")));
  });

  app.get("/v1/agents/:agent/models", async (c) => {
    return sendJson(c, await agents.models(c.req.param("agent")));
  });
}
