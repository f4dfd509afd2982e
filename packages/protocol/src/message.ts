import { z } from "zod";
import { PermissionReply } from "./event-data.ts";
import { UniversalEvent } from "./universal-event.ts";

export const MessageAttachment = z
  .object({ path: z.string().min(1), mime: z.string().nullish(), filename: z.string().nullish() })
  .meta({ id: "MessageAttachment" });
export type MessageAttachment = z.infer<typeof MessageAttachment>;

export const MessageRequest = z
  .object({ message: z.string(), attachments: z.array(MessageAttachment).max(100).nullish() })
  .meta({ id: "MessageRequest" });
export type MessageRequest = z.infer<typeof MessageRequest>;

export const MessageResponse = z.object({ turnId: z.string() }).meta({ id: "MessageResponse" });
export type MessageResponse = z.infer<typeof MessageResponse>;

export const EventsResponse = z
  .object({ events: z.array(UniversalEvent), hasMore: z.boolean() })
  .meta({ id: "EventsResponse" });
export type EventsResponse = z.infer<typeof EventsResponse>;

export const QuestionReplyRequest = z
  .object({ answers: z.array(z.array(z.string())).describe("One array of selected labels per question") })
  .meta({ id: "QuestionReplyRequest" });
export type QuestionReplyRequest = z.infer<typeof QuestionReplyRequest>;

export const PermissionReplyRequest = z
  .object({
    reply: PermissionReply,
    reason: z.string().max(10_000).nullish().describe("Why it is rejected; told to the model where the agent takes it"),
  })
  .meta({ id: "PermissionReplyRequest" });
export type PermissionReplyRequest = z.infer<typeof PermissionReplyRequest>;
