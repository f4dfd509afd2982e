import { z } from "zod";
import { PermissionReply } from "./event-data.ts";
import { UniversalEvent } from "./universal-event.ts";

export const MessageAttachment = z
  .object({
    path: z.string().min(1).nullish().describe("A file on the daemon's machine"),
    url: z
      .string()
      .startsWith("data:", "must be a data: URL")
      .nullish()
      .describe("The content itself as a `data:` URL; the daemon makes a file of it"),
    mime: z.string().nullish(),
    filename: z.string().nullish(),
  })
  .refine(({ path, url }) => (path ?? url) !== undefined && !(path && url), "needs either `path` or `url`")
  .meta({ id: "MessageAttachment" });
export type MessageAttachment = z.infer<typeof MessageAttachment>;

/** An attachment that is a file: what agents are given. */
export interface FileAttachment {
  readonly path: string;
  readonly mime?: string | null | undefined;
  readonly filename?: string | null | undefined;
}

export const MessageRequest = z
  .object({
    message: z.string().describe("Empty only where there are attachments"),
    attachments: z
      .array(MessageAttachment)
      .max(100)
      .nullish()
      .describe("Files of the daemon's machine, or `data:` URLs"),
    messageId: z
      .string()
      .min(1)
      .max(200)
      .nullish()
      .describe("Your own id of the message; default: the Idempotency-Key. In the log as `client_message_id`"),
    turnId: z
      .string()
      .regex(/^[A-Za-z0-9_.:-]{1,200}$/, "has 1 to 200 letters, digits or any of _ . : -")
      .nullish()
      .describe("The id that the turn shall have, unique in the session; default: one is made up"),
  })
  .refine(({ message, attachments }) => message !== "" || (attachments?.length ?? 0) > 0, {
    path: ["message"],
    message: "is empty and there are no attachments; say something",
  })
  .meta({ id: "MessageRequest" });
export type MessageRequest = z.infer<typeof MessageRequest>;

export const MessageResponse = z.object({ turnId: z.string() }).meta({ id: "MessageResponse" });
export type MessageResponse = z.infer<typeof MessageResponse>;

export const WaitingTurn = z
  .object({
    turnId: z.string(),
    message: z.string(),
    attachments: z.array(z.string()).describe("Names of the files"),
    messageId: z.string().nullish(),
    admittedAt: z.int().describe("Epoch milliseconds"),
  })
  .meta({ id: "WaitingTurn", description: "A message whose turn has not begun" });
export type WaitingTurn = z.infer<typeof WaitingTurn>;

export const TurnsResponse = z
  .object({
    runningTurnId: z.string().nullable().describe("null when no turn runs"),
    waiting: z.array(WaitingTurn).describe("In the order in which they will run"),
  })
  .meta({ id: "TurnsResponse" });
export type TurnsResponse = z.infer<typeof TurnsResponse>;

export const EventsResponse = z
  .object({ events: z.array(UniversalEvent), hasMore: z.boolean() })
  .meta({ id: "EventsResponse" });
export type EventsResponse = z.infer<typeof EventsResponse>;

export const QuestionReplyRequest = z
  .object({
    answers: z
      .array(z.array(z.string()))
      .describe("One array of selected labels per question; those that are missing count as none"),
  })
  .meta({ id: "QuestionReplyRequest" });
export type QuestionReplyRequest = z.infer<typeof QuestionReplyRequest>;

export const PermissionReplyRequest = z
  .object({
    reply: PermissionReply.describe("`always`: what the agent offers to remember"),
    reason: z.string().max(10_000).nullish().describe("Why it is rejected; told to the model where the agent takes it"),
  })
  .meta({ id: "PermissionReplyRequest" });
export type PermissionReplyRequest = z.infer<typeof PermissionReplyRequest>;
