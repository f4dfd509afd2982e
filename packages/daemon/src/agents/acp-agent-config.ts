import { isAbsolute } from "node:path";
import { EnvironmentVariables, PermissionMode, SandboxError } from "@sandbox-agent-ts/protocol";
import { z } from "zod";

const maxIdLength = 63;

/** Where an agent is not quite as the protocol says; the part of the adapter's quirks that is data. */
const AcpAgentQuirks = z.strictObject({
  /** The id of the way to sign in, told after `initialize`. */
  signIn: z.string().min(1).optional(),
  /** For each permission mode the agent's own session mode; without this all modes are there, decided by us. */
  permissionModes: z.partialRecord(PermissionMode, z.string().nullable()).optional(),
  /** `always` may be told to the agent: what it then remembers is no more than what was asked about. */
  remembersNarrowly: z.boolean().optional(),
  /** How a conversation is taken up again, where the agent offers both. */
  reopensBy: z.enum(["load", "resume"]).optional(),
  /** Closing its stdin does not end it. */
  ignoresEof: z.boolean().optional(),
  /** What we do for the agent. */
  offers: z.strictObject({ files: z.boolean().optional(), terminals: z.boolean().optional() }).optional(),
});

/** An agent that is known by configuration only: a program that speaks the Agent Client Protocol on stdin and stdout. */
const AcpAgentConfig = z.strictObject({
  id: z
    .string()
    .max(maxIdLength)
    .regex(/^[a-z][a-z0-9-]*$/, "must be lower case letters, digits and dashes, e.g. my-agent"),
  /** For people; default: the id. */
  name: z.string().min(1).optional(),
  /** A name to be looked up in `PATH`, or an absolute path. */
  command: z
    .string("is missing: the program to start, a name on PATH or an absolute path")
    .min(1, "is empty: name the program to start")
    .refine((command) => !command.includes("/") || isAbsolute(command), "must be a name on PATH or an absolute path"),
  args: z.array(z.string()).optional(),
  env: EnvironmentVariables.optional(),
  quirks: AcpAgentQuirks.optional(),
});

export type AcpAgentConfig = z.infer<typeof AcpAgentConfig>;

/**
 * Agents of the configuration, whoever wrote it. Throws `invalid_request` with a sentence about the first thing that is
 * wrong: a field, an id that is taken by one of `builtIn`, or an id that is there twice.
 */
export function parseAcpAgents(configured: readonly unknown[], builtIn: readonly string[]): readonly AcpAgentConfig[] {
  const agents = configured.map(parseAgent);
  const taken = new Map(builtIn.map((id) => [id, "is an agent that is built in"]));
  for (const { id } of agents) {
    const reason = taken.get(id);
    if (reason !== undefined) throw wrong(`The custom agent "${id}" ${reason}. Choose another id.`, "id");
    taken.set(id, "is configured twice");
  }
  return agents;
}

function parseAgent(configured: unknown, at: number): AcpAgentConfig {
  const { data, error } = AcpAgentConfig.safeParse(configured);
  if (data) return data;
  const { path, message } = error.issues[0]!;
  const field = path.join(".");
  const sentence = field === "" ? message : `\`${field}\` ${message}`;
  throw wrong(`Custom agent ${nameOf(configured, at)} is wrong: ${sentence}.`, field);
}

function nameOf(configured: unknown, at: number): string {
  const id = typeof configured === "object" && configured !== null && "id" in configured ? configured.id : undefined;
  return typeof id === "string" ? `"${id}"` : `number ${at + 1}`;
}

function wrong(sentence: string, path: string): SandboxError {
  return new SandboxError("invalid_request", sentence, { details: { issues: [{ path, message: sentence }] } });
}
