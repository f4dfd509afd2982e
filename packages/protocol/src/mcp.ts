import { z } from "zod";

const common = { enabled: z.boolean().nullish(), timeoutMs: z.int().positive().nullish() };
const strings = z.record(z.string(), z.string());

export const McpServerConfig = z
  .discriminatedUnion("type", [
    z.object({
      type: z.literal("local"),
      command: z.string().min(1),
      args: z.array(z.string()).nullish(),
      env: strings.nullish(),
      cwd: z.string().nullish(),
      ...common,
    }),
    z.object({
      type: z.literal("remote"),
      url: z.url(),
      headers: strings.nullish(),
      bearerTokenEnvVar: z.string().nullish(),
      envHeaders: strings.nullish(),
      transport: z.enum(["http", "sse"]).nullish(),
      ...common,
    }),
  ])
  .meta({ id: "McpServerConfig" });
export type McpServerConfig = z.infer<typeof McpServerConfig>;

export const SkillsConfig = z
  .object({
    sources: z.array(
      z.object({
        type: z.enum(["local", "git", "github"]),
        source: z.string().min(1),
        skills: z.array(z.string()).nullish(),
        ref: z.string().nullish(),
        subpath: z.string().nullish(),
      }),
    ),
  })
  .meta({ id: "SkillsConfig" });
export type SkillsConfig = z.infer<typeof SkillsConfig>;
