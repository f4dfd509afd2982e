import type { UpdateSessionRequest } from "@sandbox-agent-ts/sdk";
import type { Flag } from "../flag.ts";
import { UsageError } from "../usage-error.ts";
import { type ApiCommand, sessionId } from "./api-command.ts";
import type { CommandInput } from "./command-input.ts";
import { permissionModes } from "./create-session-request.ts";
import { defined } from "./defined.ts";
import { policyFlags, policyOf, requestTimeoutOf } from "./policy-flags.ts";

const clearable = ["model", "variant", "policy", "request-timeout"] as const;

const updateFlags: readonly Flag[] = [
  { name: "title", value: "title", description: "a name for people" },
  { name: "model", short: "m", value: "model", description: "see `agents models`" },
  { name: "variant", short: "v", value: "variant", description: "variant of the model, e.g. its effort" },
  { name: "agent-mode", short: "g", value: "mode", description: "what the agent does, see `agents modes`" },
  {
    name: "permission-mode",
    short: "p",
    value: "mode",
    choices: permissionModes,
    description: "what the agent may do without asking",
  },
  ...policyFlags,
  {
    name: "clear",
    value: "setting",
    multiple: true,
    description: `go back to the default: ${clearable.join(", ")}; repeatable`,
  },
];

export const updateSessionCommand: ApiCommand = {
  route: "updateSession",
  words: ["sessions", "update"],
  summary: "Change settings of a session, from its next turn on",
  arguments: [sessionId],
  flags: updateFlags,
  examples: [
    "sessions update demo --permission-mode acceptEdits",
    "sessions update demo --model sonnet --deny 'edit:**/.env'",
    "sessions update demo --clear policy --clear model",
  ],
  run: async ({ client, input, out }) => {
    const session = await client.updateSession(input.argument("session-id"), await updateSessionRequest(input));
    if (out.audience === "json") await out.json(session);
    else await out.done(`Changed ${session.sessionId}; it holds from the next turn on.`);
  },
};

async function updateSessionRequest(input: CommandInput): Promise<UpdateSessionRequest> {
  const request: UpdateSessionRequest = {
    ...clearedSettings(input.list("clear")),
    ...defined({
      title: input.text("title"),
      model: input.text("model"),
      variant: input.text("variant"),
      agentMode: input.text("agent-mode"),
      permissionMode: permissionModes.find((mode) => mode === input.text("permission-mode")),
      policy: await policyOf(input),
      requestTimeout: requestTimeoutOf(input),
    }),
  };
  if (Object.keys(request).length === 0) {
    throw new UsageError("Say what to change, e.g. --model or --permission-mode; see --help.");
  }
  return request;
}

function clearedSettings(names: readonly string[]): UpdateSessionRequest {
  const unknown = names.find((name) => !clearable.some((known) => known === name));
  if (unknown !== undefined) throw new UsageError(`--clear takes ${clearable.join(", ")}, not "${unknown}".`);
  return Object.fromEntries(names.map((name) => [name === "request-timeout" ? "requestTimeout" : name, null]));
}
