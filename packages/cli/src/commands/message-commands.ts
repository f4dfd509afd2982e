import { text as readText } from "node:stream/consumers";
import type { MessageRequest } from "@sandbox-agent-ts/sdk";
import type { Flag } from "../flag.ts";
import { shellQuote } from "../output/shell-quote.ts";
import { UsageError } from "../usage-error.ts";
import { type ApiCommand, type Argument, includeRawFlag, sessionId } from "./api-command.ts";
import type { CommandInput } from "./command-input.ts";
import { defined } from "./defined.ts";

const message: Argument = { name: "message", description: "what to say, `-` reads it from stdin", optional: true };
const messageFlag: Flag = {
  name: "message",
  short: "m",
  value: "text",
  description: "the message, instead of the argument",
};
const attachmentFlag: Flag = {
  name: "attachment",
  value: "path",
  multiple: true,
  description: "file on the daemon's machine to send along; repeatable",
};
const keyFlag: Flag = {
  name: "idempotency-key",
  value: "key",
  description: "sending the same key again does not begin another turn",
};
const messageIdFlag: Flag = {
  name: "message-id",
  value: "id",
  description: "your own id of the message, in the log the `client_message_id` of its turn; default: the key",
};
const turnIdFlag: Flag = {
  name: "turn-id",
  value: "id",
  description: "the id that the turn shall have, unique in the session; default: one is made up",
};

export const messageCommands: readonly ApiCommand[] = [
  {
    route: "postMessage",
    words: ["sessions", "send-message"],
    summary: "Send a message; what happens arrives as events",
    arguments: [sessionId, message],
    flags: [messageFlag, attachmentFlag, keyFlag, messageIdFlag, turnIdFlag],
    examples: ['sessions send-message demo "Say hello"', "sessions send-message demo - < prompt.md"],
    run: async ({ client, input, out }) => {
      const request = await messageRequest(input);
      const id = input.argument("session-id");
      const answer = await client.postMessage(id, request, keyOf(input));
      await out.answer(answer, `Sent. See what happens with: sandbox-agent sessions events-sse ${shellQuote(id)}`);
    },
  },
  {
    route: "postMessageStream",
    streams: true,
    words: ["sessions", "send-message-stream"],
    summary: "Send a message and print its turn as it happens",
    arguments: [sessionId, message],
    flags: [messageFlag, attachmentFlag, keyFlag, messageIdFlag, turnIdFlag, includeRawFlag],
    examples: [
      'sessions send-message-stream demo "Say hello"',
      "sessions send-message-stream demo tool | jq -c 'select(.type==\"item.completed\").data.item'",
    ],
    run: async ({ client, input, out }) => {
      const query = defined({ includeRaw: input.flag("include-raw") });
      const request = await messageRequest(input);
      const events = client.streamTurn(input.argument("session-id"), request, query, keyOf(input));
      await out.events(events, { showsPrompts: false });
    },
  },
  {
    route: "listTurns",
    words: ["sessions", "turns"],
    summary: "Show which turn runs and which messages wait",
    arguments: [sessionId],
    examples: ["sessions turns demo", "sessions turns demo --json | jq -r '.waiting[].turnId'"],
    run: async ({ client, input, out }) => {
      const answer = await client.listTurns(input.argument("session-id"));
      const running = answer.runningTurnId === null ? [] : [[answer.runningTurnId, "running", "", ""]];
      const waiting = answer.waiting.map(({ turnId, message: text, admittedAt }) => [
        turnId,
        "waiting",
        out.moment(admittedAt),
        text,
      ]);
      const columns = ["turn", "status", "sent", { title: "message", shrink: "end" }] as const;
      await out.list(answer, columns, [...running, ...waiting], "No turn runs and no message waits.");
    },
  },
  {
    route: "withdrawTurn",
    words: ["sessions", "withdraw-turn"],
    summary: "Take a waiting message back: its turn never runs",
    arguments: [sessionId, { name: "turn-id", description: "see `sessions turns`" }],
    examples: ["sessions withdraw-turn demo turn_1a2b3c"],
    run: async ({ client, input, out }) => {
      const turnId = input.argument("turn-id");
      await client.withdrawTurn(input.argument("session-id"), turnId);
      await out.done(`Withdrawn ${turnId}; it will not run.`);
    },
  },
];

const keyOf = (input: CommandInput) => defined({ idempotencyKey: input.text("idempotency-key") });

async function messageRequest(input: CommandInput): Promise<MessageRequest> {
  const attachments = input.list("attachment").map((path) => ({ path }));
  const names = { messageId: input.text("message-id"), turnId: input.text("turn-id") };
  return {
    message: await messageText(input),
    ...(attachments.length > 0 ? { attachments } : {}),
    ...defined(names),
  };
}

async function messageText(input: CommandInput): Promise<string> {
  const given = input.optionalArgument("message") ?? input.text("message");
  if (given === undefined) throw new UsageError("There is no message: give it as an argument, or `-` to read stdin.");
  return given === "-" ? await readText(process.stdin) : given;
}
