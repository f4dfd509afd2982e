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

export const messageCommands: readonly ApiCommand[] = [
  {
    route: "postMessage",
    words: ["sessions", "send-message"],
    summary: "Send a message; what happens arrives as events",
    arguments: [sessionId, message],
    flags: [messageFlag, attachmentFlag, keyFlag, messageIdFlag],
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
    flags: [messageFlag, attachmentFlag, keyFlag, messageIdFlag, includeRawFlag],
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
];

const keyOf = (input: CommandInput) => defined({ idempotencyKey: input.text("idempotency-key") });

async function messageRequest(input: CommandInput): Promise<MessageRequest> {
  const attachments = input.list("attachment").map((path) => ({ path }));
  const messageId = input.text("message-id");
  return {
    message: await messageText(input),
    ...(attachments.length > 0 ? { attachments } : {}),
    ...(messageId === undefined ? {} : { messageId }),
  };
}

async function messageText(input: CommandInput): Promise<string> {
  const given = input.optionalArgument("message") ?? input.text("message");
  if (given === undefined) throw new UsageError("There is no message: give it as an argument, or `-` to read stdin.");
  return given === "-" ? await readText(process.stdin) : given;
}
