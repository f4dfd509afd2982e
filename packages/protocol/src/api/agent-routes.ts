import {
  AgentInstallEvent,
  AgentInstallRequest,
  AgentInstallResponse,
  AgentListResponse,
  AgentModelsResponse,
  AgentModesResponse,
} from "../agent-info.ts";
import { AgentListQuery } from "./queries.ts";
import type { Route } from "./route.ts";

const json = "application/json";

export const agentRoutes = [
  {
    id: "listAgents",
    method: "GET",
    path: "/v1/agents",
    tag: "agents",
    summary: "List agents with what they can do",
    query: AgentListQuery,
    response: { status: 200, type: json, schema: AgentListResponse },
    errors: [],
  },
  {
    id: "installAgent",
    method: "POST",
    path: "/v1/agents/{agent}/install",
    tag: "agents",
    summary: "Install an agent; as server-sent events with `Accept: text/event-stream`",
    body: { type: json, schema: AgentInstallRequest, optional: true },
    response: { status: 200, type: json, schema: AgentInstallResponse, events: AgentInstallEvent },
    errors: ["unsupported_agent", "install_failed", "timeout"],
  },
  {
    id: "getAgentModes",
    method: "GET",
    path: "/v1/agents/{agent}/modes",
    tag: "agents",
    summary: "List an agent's modes",
    response: { status: 200, type: json, schema: AgentModesResponse },
    errors: ["unsupported_agent", "agent_not_installed", "agent_process_exited", "stream_error", "timeout"],
  },
  {
    id: "getAgentModels",
    method: "GET",
    path: "/v1/agents/{agent}/models",
    tag: "agents",
    summary: "List an agent's models",
    response: { status: 200, type: json, schema: AgentModelsResponse },
    errors: ["unsupported_agent", "agent_not_installed", "agent_process_exited", "stream_error", "timeout"],
  },
] as const satisfies readonly Route[];
