import type { PendingRequest, SessionInfo, SessionListEvent, SessionListQuery } from "@sandbox-agent-ts/sdk";
import { exitCode } from "../exit-code.ts";
import type { Flag } from "../flag.ts";
import { costText, usageText } from "../output/number-text.ts";
import type { Output } from "../output/output.ts";
import { problemText } from "../output/problem-text.ts";
import { shellQuote } from "../output/shell-quote.ts";
import type { Tone } from "../output/terminal.ts";
import { type ApiCommand, sessionId } from "./api-command.ts";
import type { CommandInput } from "./command-input.ts";
import { createFlags, createSessionRequest } from "./create-session-request.ts";
import { defined } from "./defined.ts";
import { diffCommand } from "./diff-command.ts";
import { updateSessionCommand } from "./update-session-command.ts";

const statusTones: Readonly<Record<string, Tone>> = {
  running: "cyan",
  waiting: "yellow",
  ended: "dim",
  problem: "red",
};

const createKeyFlag: Flag = {
  name: "idempotency-key",
  value: "key",
  description: "sending the same key again answers as the first time, instead of refusing an id that exists",
};

export const sessionsCommands: readonly ApiCommand[] = [
  {
    route: "listSessions",
    words: ["sessions", "list"],
    summary: "List sessions, the last created first",
    flags: [
      { name: "limit", short: "l", value: "count", description: "at most this many (default: all)" },
      { name: "cursor", value: "cursor", description: "`nextCursor` of the page before, as --json prints it" },
      { name: "agent", short: "a", value: "agent", description: "only sessions with this agent" },
      {
        name: "status",
        value: "status",
        choices: ["idle", "running", "waiting", "ended"],
        multiple: true,
        description: "only sessions with this status; repeatable",
      },
      { name: "directory", value: "path", description: "only sessions that work in this directory" },
      { name: "search", value: "text", description: "only sessions with this text in id or title" },
    ],
    examples: [
      "sessions list",
      "sessions list --status running --status waiting",
      "sessions list --limit 20 --json | jq '.sessions[].sessionId'",
    ],
    run: async ({ client, input, out }) => {
      const answer = await client.listSessions(listQuery(input));
      const rows = answer.sessions.map((session) => [
        session.sessionId,
        session.agent,
        session.problem ? "problem" : session.status,
        String(session.eventCount),
        out.moment(session.updatedAt),
        session.title ?? "",
      ]);
      const columns = [
        { title: "session", shrink: "end" },
        "agent",
        { title: "status", tone: (status: string) => statusTones[status] },
        "events",
        "updated",
        { title: "title", shrink: "end" },
      ] as const;
      await out.list(answer, columns, rows, "There are no sessions. `sandbox-agent sessions create` makes one.");
      for (const sentence of answer.sessions.flatMap((session) => problemText(session) ?? [])) await out.done(sentence);
    },
  },
  {
    route: "getSessionListSse",
    streams: true,
    words: ["sessions", "watch"],
    summary: "Follow all sessions: print which are created, change, wait, end or are deleted",
    examples: ["sessions watch", "sessions watch | jq 'select(.type==\"session.waiting\").session.sessionId'"],
    run: async ({ client, out }) => {
      for await (const event of client.streamSessions()) {
        await (out.isForPeople ? out.write(changeText(event, out)) : out.jsonLine(event));
      }
    },
  },
  {
    route: "getSession",
    words: ["sessions", "get"],
    summary: "Show one session",
    arguments: [sessionId],
    examples: ["sessions get demo", "sessions get demo --json | jq -r .status"],
    run: async ({ client, input, out }) => {
      const session = await client.getSession(input.argument("session-id"));
      await out.details(session, sessionProperties(session, out));
    },
  },
  {
    route: "createSession",
    words: ["sessions", "create"],
    summary: "Create a session; installs the agent when it is missing",
    arguments: [{ name: "session-id", description: "id of the new session: yours to choose" }],
    flags: [...createFlags, createKeyFlag],
    examples: [
      "sessions create demo --agent mock",
      "sessions create fix-42 --agent claude --directory ~/project --permission-mode acceptEdits",
      "sessions create audit --agent codex --model gpt-5 --env CI=1 --mcp servers.json",
      "sessions create review --agent claude --allow read --deny edit --request-timeout 600",
    ],
    run: async ({ client, input, out }) => {
      const id = input.argument("session-id");
      const key = defined({ idempotencyKey: input.text("idempotency-key") });
      const answer = await client.createSession(id, await createSessionRequest(input), key);
      await out.answer(answer, answer.healthy ? createdText(id) : `${id} was created, but: ${answer.error?.message}`);
      return answer.healthy ? exitCode.ok : exitCode.failure;
    },
  },
  updateSessionCommand,
  {
    route: "updateSession",
    words: ["sessions", "rename"],
    summary: "Give a session another title",
    arguments: [sessionId, { name: "title", description: "what it shall be called" }],
    examples: ["sessions rename demo 'Mend the login'"],
    run: async ({ client, input, out }) => {
      const title = input.argument("title");
      const session = await client.renameSession(input.argument("session-id"), { title });
      if (out.audience === "json") await out.json(session);
      else await out.done(`${session.sessionId} is now called ${JSON.stringify(session.title)}.`);
    },
  },
  diffCommand,
  {
    route: "interruptSession",
    words: ["sessions", "interrupt"],
    summary: "Stop the running turn; the session stays usable",
    arguments: [sessionId],
    examples: ["sessions interrupt demo"],
    run: async ({ client, input, out }) => {
      await client.interruptSession(input.argument("session-id"));
      await out.done(`Interrupted ${input.argument("session-id")}.`);
    },
  },
  {
    route: "terminateSession",
    words: ["sessions", "terminate"],
    summary: "End a session; its log stays readable",
    arguments: [sessionId],
    examples: ["sessions terminate demo"],
    run: async ({ client, input, out }) => {
      await client.terminateSession(input.argument("session-id"));
      await out.done(`Ended ${input.argument("session-id")}; its log stays readable.`);
    },
  },
  {
    route: "deleteSession",
    words: ["sessions", "delete"],
    summary: "End a session and remove its log",
    arguments: [sessionId],
    examples: ["sessions delete demo"],
    run: async ({ client, input, out }) => {
      await client.deleteSession(input.argument("session-id"));
      await out.done(`Deleted ${input.argument("session-id")}.`);
    },
  },
];

const createdText = (id: string): string =>
  `Created ${id}. Talk to it with: sandbox-agent sessions send-message-stream ${shellQuote(id)} "Say hello"`;

function sessionProperties(session: SessionInfo, out: Output): object {
  const times = { createdAt: out.moment(session.createdAt), updatedAt: out.moment(session.updatedAt) };
  if (!out.isForPeople) return { ...session, ...times };
  const { pendingPermissions, pendingQuestions, pendingRequests, ended: _, usage, cost, ...rest } = session;
  return {
    ...rest,
    ...times,
    problem: problemText(session),
    ...(usage ? { usage: usageText(usage) } : {}),
    ...(cost ? { cost: costText(cost) } : {}),
    ...(pendingRequests?.length ? { waitsFor: pendingRequests.map((one) => waitsFor(session, one)).join("; ") } : {}),
  };
}

/** What is asked, and the command that answers it. */
function waitsFor({ sessionId: session }: SessionInfo, { type, id, summary }: PendingRequest): string {
  const [word, flags] =
    type === "permission" ? ["reply-permission", "--reply once|always|reject"] : ["reply-question", "--answer …"];
  const command = `sandbox-agent sessions ${word} ${shellQuote(session)} ${shellQuote(id)} ${flags}`;
  return `${type === "permission" ? "permission" : "an answer"}: ${summary} (\`${command}\`)`;
}

function listQuery(input: CommandInput): SessionListQuery {
  const status = input.list("status") as NonNullable<SessionListQuery["status"]>;
  return defined({
    limit: input.count("limit"),
    cursor: input.text("cursor"),
    agent: input.text("agent"),
    status: status.length > 0 ? status : undefined,
    directory: input.text("directory"),
    search: input.text("search"),
  });
}

function changeText(event: SessionListEvent, out: Output): string {
  if (event.type === "reset") return "";
  const what = event.type.slice("session.".length);
  if (event.type === "session.deleted") return `${what}  ${event.sessionId}\n`;
  const { sessionId: id, agent, status, eventCount, title, pendingRequests } = event.session;
  const tone = statusTones[status];
  const asked = status === "waiting" ? pendingRequests?.map(({ summary }) => summary).join("; ") : title;
  const words = [what, id, agent, tone ? out.paint(tone, status) : status, `${eventCount} events`, asked ?? ""];
  return `${words.join("  ").trimEnd()}\n`;
}
