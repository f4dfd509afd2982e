import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { SandboxRequest } from "@sandbox-agent-ts/protocol";
import type { AuditOptions, PoolOptions, Quota, QuotaOptions, RuntimeLimits } from "@sandbox-agent-ts/runtime";
import { logLevels } from "@sandbox-agent-ts/server";
import { z } from "zod";
import { UsageError } from "../usage-error.ts";

/** Longer than any timer of Node can wait. */
const longestMs = 2 ** 31 - 1;
const ms = (least: number) => z.int().min(least).max(longestMs);

const limits = {
  leaseMs: ms(1_000).describe("How long a session is held without being renewed before another runtime may take it."),
  startTimeoutMs: ms(100).describe("How long the daemon of a new sandbox may take to answer."),
  healthIntervalMs: ms(10).describe("Between two looks at a sandbox that does not answer."),
  healthMisses: z.int().min(0).max(1_000).describe("Looks without an answer after which its daemon is started again."),
  maxRestarts: z.int().min(0).max(1_000).describe("Starts of one sandbox's daemon before the sandbox is given up."),
  providerTimeoutMs: ms(100).describe("How long the provider of sandboxes may take to answer a question."),
  createTimeoutMs: ms(100).describe("How long the provider may take to make a sandbox or to write files into it."),
  providerOutageMs: ms(0).describe("A sandbox of which its provider says nothing for so long is given up."),
  idleTimeoutMs: ms(100).describe("A sandbox in which nothing happened for so long is suspended, or ended."),
  sandboxLifeMs: ms(10_000).describe(
    "How long a sandbox at a service lives after the last turn in it; at least twice idleTimeoutMs.",
  ),
  unloadAfterMs: ms(100).describe("A session in which nothing happened for so long leaves the memory."),
  maxOpenTurns: z.int().min(1).max(100_000).describe("Messages of one session that may wait."),
  maxTurnChars: z.int().min(1024).describe("Characters that a sandbox may send for one message before it is ended."),
  reapIntervalMs: ms(1_000).describe("Between two looks for sandboxes that nobody owns."),
  reapGraceMs: ms(1_000).describe("A sandbox that is younger may be one that the store does not know yet."),
} satisfies Record<keyof RuntimeLimits, z.ZodType>;

const pool = {
  size: z.int().min(0).max(1_000).optional().describe("How many sandboxes wait for a session."),
  maxAtOnce: z.int().min(1).max(100).optional().describe("How many are made at once."),
  sandbox: SandboxRequest.strict().optional().describe("What a session must wish to get one of them."),
} satisfies Record<keyof PoolOptions, z.ZodType>;

const quota = z.strictObject({
  sessions: z.int().min(0).optional().describe("Sessions that are kept."),
  turns: z.int().min(0).optional().describe("Turns that wait or run."),
  sandboxes: z.int().min(0).optional().describe("Sandboxes that have not ended."),
  storageBytes: z.int().min(0).optional().describe("About the bytes that logs take."),
} satisfies Record<keyof Quota, z.ZodType>);

const quotas = {
  default: quota.optional().describe("For everybody who has none of its own."),
  principals: z.record(z.string(), quota).optional().describe("By principal."),
} satisfies Record<keyof QuotaOptions, z.ZodType>;

const audit = {
  retentionDays: z.int().min(1).max(36_500).optional().describe("Older entries of the audit log are forgotten."),
} satisfies Record<keyof AuditOptions, z.ZodType>;

/** The file of `sandbox-agent runtime --config`. Flags and the environment win over it. */
export const RuntimeConfig = z.strictObject({
  $schema: z.string().optional().describe("For editors."),
  host: z.string().min(1).optional().describe("Address to listen on."),
  port: z.int().min(0).max(65_535).optional().describe("Port to listen on; 0 takes a free one."),
  dataDir: z.string().min(1).optional().describe("Where everything is kept; from the folder of this file."),
  provider: z.string().min(1).optional().describe("Who makes sandboxes."),
  providerSettings: z.record(z.string(), z.unknown()).optional().describe("What that provider takes."),
  profilesDir: z.string().min(1).optional().describe("A profile in each of its folders; from the folder of this file."),
  logLevel: z.enum(logLevels).optional().describe("From which level on lines are logged."),
  limits: z.strictObject(limits).partial().optional().describe("Times and numbers; see each."),
  pool: z.strictObject(pool).optional().describe("Sandboxes that are made before a session needs them."),
  quotas: z.strictObject(quotas).optional().describe("How much principals may have."),
  audit: z.strictObject(audit).optional().describe("Who did what."),
});
export type RuntimeConfig = z.infer<typeof RuntimeConfig>;

/** The settings that there are, by where they are. */
const groups: Readonly<Record<string, object>> = {
  "": RuntimeConfig.shape,
  limits,
  pool,
  "pool.sandbox": SandboxRequest.shape,
  quotas,
  "quotas.default": quota.shape,
  audit,
};

/** For editors, and for whoever writes such files by program. */
export function runtimeConfigSchema(): object {
  return { title: "Configuration of sandbox-agent runtime", ...z.toJSONSchema(RuntimeConfig) };
}

/** Read and check a file; what is wrong is said with the file's name and the setting. */
export function readRuntimeConfig(file: string): RuntimeConfig {
  const path = resolve(file);
  const config = RuntimeConfig.safeParse(parsed(path));
  if (!config.success) {
    throw new UsageError(`${path} is not right:\n${config.error.issues.map(sentence).join("\n")}`);
  }
  const { dataDir, profilesDir, ...others } = config.data;
  const fromHere = (folder: string) => resolve(dirname(path), folder);
  return {
    ...others,
    ...(dataDir === undefined ? {} : { dataDir: fromHere(dataDir) }),
    ...(profilesDir === undefined ? {} : { profilesDir: fromHere(profilesDir) }),
  };
}

function parsed(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`The configuration ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`The configuration ${path} is not JSON: ${(error as Error).message}`);
  }
}

function sentence(issue: z.core.$ZodIssue): string {
  const place = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    const known = Object.keys(groups[place] ?? {});
    const unknown = issue.keys.map((key) => [...issue.path, key].join("."));
    return `  ${unknown.join(", ")}: there is no such setting; there are ${known.join(", ")}.`;
  }
  return `  ${place || "the whole file"}: ${issue.message}.`;
}
