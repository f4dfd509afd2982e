import { AgentInstallRequest, AgentListQuery, type ProblemDetails } from "@sandbox-agent-ts/protocol";
import type { Hono } from "hono";
import { toClientError } from "../../problem.ts";
import { sendJson } from "../compression.ts";
import { InstallEvents } from "../install-events.ts";
import { type ApiServices, maxJsonBytes } from "../services.ts";
import { sendEvents } from "../sse.ts";
import { readJson, readQuery } from "../validate.ts";

export function agentRoutes(app: Hono, { agents, closing, redact = (json) => json }: ApiServices): void {
  app.get("/v1/agents", async (c) => sendJson(c, { agents: await agents.list(readQuery(c, AgentListQuery)) }));

  app.post("/v1/agents/:agent/install", async (c) => {
    const { reinstall } = await readJson(c, AgentInstallRequest, { optional: true, maxBytes: maxJsonBytes });
    const agent = c.req.param("agent");
    const options = { reinstall: reinstall ?? false };
    if (!c.req.header("accept")?.startsWith("text/event-stream")) return c.json(await agents.install(agent, options));
    const events = new InstallEvents((onProgress) => agents.install(agent, { ...options, onProgress }));
    await events.begun();
    const toProblem = (error: unknown): ProblemDetails =>
      JSON.parse(redact(JSON.stringify(toClientError(error).toProblem(c.req.path))));
    return sendEvents(c, closing, (signal) => events.frames(signal, toProblem));
  });

  app.get("/v1/agents/:agent/modes", async (c) => {
    return c.json(await agents.modes(c.req.param("agent")));
  });

  app.get("/v1/agents/:agent/models", async (c) => {
    return sendJson(c, await agents.models(c.req.param("agent")));
  });
}
