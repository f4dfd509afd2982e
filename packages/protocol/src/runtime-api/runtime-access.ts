import { z } from "zod";

/** In seconds. */
export const sessionTokenLifetime = { default: 15 * 60, max: 24 * 60 * 60 };

export const SessionTokenRequest = z
  .object({
    scope: z.enum(["read", "write"]).describe("`write` also sends messages, answers requests and changes options"),
    expiresIn: z
      .int()
      .min(1)
      .max(sessionTokenLifetime.max)
      .optional()
      .describe(`Seconds; default ${sessionTokenLifetime.default}`),
  })
  .meta({ id: "SessionTokenRequest" });
export type SessionTokenRequest = z.infer<typeof SessionTokenRequest>;

export const SessionTokenResponse = z
  .object({
    token: z.string().describe("`Authorization: Bearer`, or `?token=` where a browser cannot send headers"),
    scope: z.enum(["read", "write"]),
    expiresAt: z.int().describe("Epoch milliseconds"),
  })
  .meta({ id: "SessionTokenResponse" });
export type SessionTokenResponse = z.infer<typeof SessionTokenResponse>;

export const AuditEntry = z
  .object({
    id: z.int().positive().describe("Grows with every entry"),
    at: z.int().describe("Epoch milliseconds"),
    principal: z.string(),
    keyId: z.string().optional().describe("The API key, or the one behind the session token"),
    byToken: z.boolean().describe("Whether it came with a session token"),
    action: z.string(),
    operation: z.string().describe("Method and route, or the event of a socket"),
    sessionId: z.string().optional(),
    status: z.int().describe("What was answered"),
    remoteAddress: z.string().optional(),
  })
  .meta({ id: "AuditEntry", description: "Who did what" });
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditResponse = z
  .object({
    entries: z.array(AuditEntry).describe("Newest first"),
    nextCursor: z.string().optional().describe("Where the next page begins; absent when there is none"),
  })
  .meta({ id: "AuditResponse" });
export type AuditResponse = z.infer<typeof AuditResponse>;

export const UsageResponse = z
  .object({
    principal: z.string(),
    used: z.object({
      sessions: z.int(),
      turns: z.int().describe("That wait or run"),
      sandboxes: z.int(),
      storageBytes: z.int(),
    }),
    limits: z
      .object({
        sessions: z.int().optional(),
        turns: z.int().optional(),
        sandboxes: z.int().optional(),
        storageBytes: z.int().optional(),
      })
      .describe("Absent: no limit"),
  })
  .meta({ id: "UsageResponse", description: "What a principal has, and may have" });
export type UsageResponse = z.infer<typeof UsageResponse>;
