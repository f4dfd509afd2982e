import { ActionKind } from "@sandbox-agent-ts/protocol";
import type { PermissionPolicy, PolicyRule, RequestTimeout } from "@sandbox-agent-ts/sdk";
import type { Flag } from "../flag.ts";
import { UsageError } from "../usage-error.ts";
import type { CommandInput } from "./command-input.ts";
import { readJsonFile } from "./read-json-file.ts";

const shorthand = "kind[:pattern]";
const actions = ["deny", "ask", "allow"] as const;

/** Rules and time limits for requests of the agent. */
export const policyFlags: readonly Flag[] = [
  { name: "policy", value: "file", description: 'JSON file with rules for permissions: {"rules":[…]}' },
  {
    name: "deny",
    value: shorthand,
    multiple: true,
    description: "deny a kind of action, e.g. `execute:rm *`; repeatable",
  },
  { name: "ask", value: shorthand, multiple: true, description: "ask a person, e.g. `edit:src/**`; repeatable" },
  { name: "allow", value: shorthand, multiple: true, description: "allow without asking, e.g. `read`; repeatable" },
  { name: "request-timeout", value: "seconds", description: "reject requests that nobody answers for so long" },
];

/** The rules of the file, or of the flags: of those a denial counts before a question, and that before a permission. */
export async function policyOf(input: CommandInput): Promise<PermissionPolicy | undefined> {
  const rules = actions.flatMap((action) => input.list(action).map((text) => ruleOf(action, text)));
  const file = input.text("policy");
  if (file === undefined) return rules.length === 0 ? undefined : { rules };
  if (rules.length > 0) throw new UsageError("Use --policy or --deny, --ask and --allow, not both.");
  // The daemon checks the shape and says what is wrong with it.
  return (await readJsonFile(file)) as PermissionPolicy;
}

export function requestTimeoutOf(input: CommandInput): RequestTimeout | undefined {
  const seconds = input.count("request-timeout");
  return seconds === undefined ? undefined : { afterMs: seconds * 1000 };
}

function ruleOf(action: (typeof actions)[number], text: string): PolicyRule {
  const colon = text.indexOf(":");
  const [name, pattern] = colon === -1 ? [text] : [text.slice(0, colon), text.slice(colon + 1)];
  const kind = ActionKind.options.find((known) => known === name);
  if (kind === undefined) {
    throw new UsageError(`--${action} takes one of ${ActionKind.options.join(", ")}, not "${name}".`);
  }
  if (pattern === undefined) return { action, kind };
  if (pattern === "") throw new UsageError(`--${action} ${kind}: needs a pattern behind the colon.`);
  switch (kind) {
    case "execute":
      return { action, kind, commands: pattern };
    case "mcp":
      return { action, kind, mcpServers: pattern };
    case "fetch":
    case "other":
      return { action, kind, tools: pattern };
    default:
      return { action, kind, paths: pattern };
  }
}
