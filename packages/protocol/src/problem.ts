import { z } from "zod";
import { type ErrorCode, errorCodes, errorTypePrefix } from "./error-codes.ts";

const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]];

export const ProblemDetails = z
  .object({
    type: z.enum(codes.map((code) => `${errorTypePrefix}${code}`)).describe("Stable identifier of the kind of error"),
    title: z.string(),
    status: z.int(),
    detail: z.string().nullish().describe("What went wrong here and what to do about it"),
    instance: z.string().nullish(),
    agent: z.string().nullish(),
    sessionId: z.string().nullish(),
    details: z.unknown().optional(),
  })
  .meta({ id: "ProblemDetails", description: "RFC 9457 problem body of every error response" });
export type ProblemDetails = z.infer<typeof ProblemDetails>;

export const AgentError = z
  .object({
    type: z.enum(codes),
    message: z.string(),
    agent: z.string().nullish(),
    session_id: z.string().nullish(),
    details: z.unknown().optional(),
  })
  .meta({ id: "AgentError" });
export type AgentError = z.infer<typeof AgentError>;
