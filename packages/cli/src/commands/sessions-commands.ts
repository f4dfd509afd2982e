import { exitCode } from "../exit-code.ts";
import { type ApiCommand, jsonFlag, sessionId } from "./api-command.ts";
import { createFlags, createSessionRequest } from "./create-session-request.ts";
import { updateSessionCommand } from "./update-session-command.ts";

const moment = (epochMs: number): string => new Date(epochMs).toISOString();

export const sessionsCommands: readonly ApiCommand[] = [
  {
    route: "listSessions",
    words: ["sessions", "list"],
    summary: "List sessions, newest first",
    flags: [jsonFlag],
    examples: ["sessions list", "sessions list --json | jq '.sessions[].sessionId'"],
    run: async ({ client, input, out }) => {
      const answer = await client.listSessions();
      if (input.flag("json")) return out.json(answer);
      const rows = answer.sessions.map((session) => [
        session.sessionId,
        session.agent,
        session.status,
        String(session.eventCount),
        moment(session.updatedAt),
        session.title ?? "",
      ]);
      await out.table(["session", "agent", "status", "events", "updated", "title"], rows);
    },
  },
  {
    route: "getSession",
    words: ["sessions", "get"],
    summary: "Show one session",
    arguments: [sessionId],
    flags: [jsonFlag],
    examples: ["sessions get demo", "sessions get demo --json | jq -r .status"],
    run: async ({ client, input, out }) => {
      const session = await client.getSession(input.argument("session-id"));
      if (input.flag("json")) return out.json(session);
      await out.properties({
        ...session,
        createdAt: moment(session.createdAt),
        updatedAt: moment(session.updatedAt),
      });
    },
  },
  {
    route: "createSession",
    words: ["sessions", "create"],
    summary: "Create a session; installs the agent when it is missing",
    arguments: [{ name: "session-id", description: "id of the new session: yours to choose" }],
    flags: createFlags,
    examples: [
      "sessions create demo --agent mock",
      "sessions create fix-42 --agent claude --directory ~/project --permission-mode acceptEdits",
      "sessions create audit --agent codex --model gpt-5 --env CI=1 --mcp servers.json",
      "sessions create review --agent claude --allow read --deny edit --request-timeout 600",
    ],
    run: async ({ client, input, out }) => {
      const answer = await client.createSession(input.argument("session-id"), await createSessionRequest(input));
      await out.json(answer);
      return answer.healthy ? exitCode.ok : exitCode.failure;
    },
  },
  updateSessionCommand,
  {
    route: "updateSession",
    words: ["sessions", "rename"],
    summary: "Give a session another title",
    arguments: [sessionId, { name: "title", description: "what it shall be called" }],
    flags: [jsonFlag],
    examples: ["sessions rename demo 'Mend the login'"],
    run: async ({ client, input, out }) => {
      const title = input.argument("title");
      const session = await client.renameSession(input.argument("session-id"), { title });
      if (input.flag("json")) await out.json(session);
    },
  },
  {
    route: "interruptSession",
    words: ["sessions", "interrupt"],
    summary: "Stop the running turn; the session stays usable",
    arguments: [sessionId],
    examples: ["sessions interrupt demo"],
    run: ({ client, input }) => client.interruptSession(input.argument("session-id")),
  },
  {
    route: "terminateSession",
    words: ["sessions", "terminate"],
    summary: "End a session; its log stays readable",
    arguments: [sessionId],
    examples: ["sessions terminate demo"],
    run: ({ client, input }) => client.terminateSession(input.argument("session-id")),
  },
  {
    route: "deleteSession",
    words: ["sessions", "delete"],
    summary: "End a session and remove its log",
    arguments: [sessionId],
    examples: ["sessions delete demo"],
    run: ({ client, input }) => client.deleteSession(input.argument("session-id")),
  },
];
