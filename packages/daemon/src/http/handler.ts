import { type ApiServices, createRequestHandler } from "@sandbox-agent-ts/server/api";
import type { House } from "../house.ts";
import { agentsService, sessionsService } from "./api-services.ts";
import { fileRoutes } from "./routes/files.ts";
import { workspaceRoutes } from "./routes/workspace.ts";

/** The API over what the daemon has, as a Node listener. */
export function createDaemonHandler(
  { agents, sessions, files }: House,
  rest: Pick<ApiServices, "version" | "health" | "log" | "ui" | "closing" | "redact">,
): ReturnType<typeof createRequestHandler> {
  const service = sessionsService(sessions);
  return createRequestHandler({
    kind: "daemon",
    ...rest,
    memory: () => sessions.memory,
    agents: agentsService(agents),
    sessions: () => service,
    files: (app) => {
      fileRoutes(app, files);
      workspaceRoutes(app, files, rest.closing);
    },
  });
}
