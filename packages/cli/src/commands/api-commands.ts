import { agentsCommands } from "./agents-commands.ts";
import type { ApiCommand } from "./api-command.ts";
import { eventsCommands } from "./events-commands.ts";
import { fsCommands } from "./fs-commands.ts";
import { messageCommands } from "./message-commands.ts";
import { requestCommands } from "./request-commands.ts";
import { serverCommands } from "./server-commands.ts";
import { sessionsCommands } from "./sessions-commands.ts";
import { workspaceCommands } from "./workspace-commands.ts";

/** Every operation of the HTTP API as a command. */
export const apiCommands: readonly ApiCommand[] = [
  ...serverCommands,
  ...agentsCommands,
  ...sessionsCommands,
  ...messageCommands,
  ...eventsCommands,
  ...requestCommands,
  ...fsCommands,
  ...workspaceCommands,
];
