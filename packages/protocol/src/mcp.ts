import { z } from "zod";
import { EnvironmentVariables } from "./environment.ts";

const common = { enabled: z.boolean().nullish(), timeoutMs: z.int().positive().nullish() };
const strings = z.record(z.string(), z.string());

const local = z.object({
  type: z.literal("local"),
  command: z.string().min(1),
  args: z.array(z.string()).nullish(),
  env: EnvironmentVariables.nullish(),
  cwd: z.string().nullish(),
  ...common,
});

const remote = z.object({
  type: z.literal("remote"),
  url: z.url(),
  headers: strings.nullish(),
  bearerTokenEnvVar: z.string().nullish(),
  envHeaders: strings.nullish(),
  transport: z.enum(["http", "sse"]).nullish(),
  ...common,
});

export const McpServerConfig = z.discriminatedUnion("type", [local, remote]).meta({ id: "McpServerConfig" });
export type McpServerConfig = z.infer<typeof McpServerConfig>;

/** 0.1.x takes the command as an array, too; what follows the program stands before the other arguments. */
const lenientLocal = local
  .extend({
    command: z
      .union([z.string().min(1), z.array(z.string().min(1)).min(1)])
      .describe("The program; in an array its first arguments follow"),
  })
  .transform(({ command, ...server }): z.infer<typeof local> => {
    if (typeof command === "string") return { ...server, command };
    const [program = "", ...first] = command;
    return { ...server, command: program, args: [...first, ...(server.args ?? [])] };
  });

export const McpServerRequest = z.discriminatedUnion("type", [lenientLocal, remote]).meta({
  id: "McpServerRequest",
  description: "McpServerConfig as a client may write it",
});

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
