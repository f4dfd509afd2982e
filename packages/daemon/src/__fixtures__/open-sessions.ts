import type { AgentAdapter } from "@sandbox-agent-ts/agents";
import { EventLog, type EventStore } from "@sandbox-agent-ts/store";
import { onTestFinished } from "vitest";
import { Agents } from "../agents/agents.ts";
import { Attachments } from "../sessions/attachments.ts";
import { Sessions, type SessionsOptions } from "../sessions/sessions.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** Sessions without a daemon around them, on a store and with an agent of the test's own. */
export function openSessions(
  store: EventStore,
  adapter: AgentAdapter,
  limits: Omit<SessionsOptions, "snapshots">,
): Sessions {
  const agents = new Agents({
    load: async () => [adapter],
    spawn: () => {
      throw new Error("no processes here");
    },
    directory: temporaryDirectory(),
    installRoot: temporaryDirectory(),
    env: {},
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const sessions = new Sessions(new EventLog(store), agents, new Attachments(temporaryDirectory()), limits);
  onTestFinished(() => sessions.shutDown());
  return sessions;
}
