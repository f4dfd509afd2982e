import { z } from "zod";
import { ActionKind } from "./tool-call.ts";

const oneOrMore = <T extends z.ZodType>(schema: T) => z.union([schema, z.array(schema).min(1)]);
const pattern = z.string().min(1).max(4096);

export const PolicyAction = z.enum(["allow", "ask", "deny"]).meta({ id: "PolicyAction" });
export type PolicyAction = z.infer<typeof PolicyAction>;

export const PolicyRule = z
  .strictObject({
    action: PolicyAction.describe("What happens when everything that the rule names fits"),
    kind: oneOrMore(ActionKind).nullish().describe("Kinds of action; absent: every kind"),
    paths: oneOrMore(pattern)
      .nullish()
      .describe("Globs of files, relative to the session's directory or absolute; `!` in front excludes"),
    commands: oneOrMore(pattern)
      .nullish()
      .describe("Patterns of command lines: words with `*` for any text, e.g. `npm test*`"),
    tools: oneOrMore(pattern).nullish().describe("Names of tools, `*` for any text"),
    mcpServers: oneOrMore(pattern).nullish().describe("Names of MCP servers, `*` for any text"),
    reason: z.string().max(2000).nullish().describe("Told in the log, and to the model when it is denied"),
  })
  .meta({ id: "PolicyRule", description: "Fits when each of the fields that are given fits" });
export type PolicyRule = z.infer<typeof PolicyRule>;

export const PermissionPolicy = z
  .strictObject({
    rules: z.array(PolicyRule).max(500).describe("In order: the first that fits decides"),
    otherwise: PolicyAction.nullish().describe("When no rule fits; default: what the permission mode says"),
  })
  .meta({ id: "PermissionPolicy", description: "Decides requests for permission before a person is asked" });
export type PermissionPolicy = z.infer<typeof PermissionPolicy>;

export const RequestTimeout = z
  .strictObject({
    afterMs: z.int().min(100).max(86_400_000).describe("How long a request may wait for a person"),
    permission: z.enum(["once", "reject"]).nullish().describe("The answer to a permission; default: reject"),
    question: z
      .enum(["first", "reject"])
      .nullish()
      .describe("The answer to a question: its first option; default: reject"),
    reason: z.string().max(2000).nullish(),
  })
  .meta({ id: "RequestTimeout", description: "Answers requests that nobody attends to" });
export type RequestTimeout = z.infer<typeof RequestTimeout>;
