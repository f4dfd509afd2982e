import type { Provocation, ProvokingMessage } from "../agent-scenario.ts";
import type { ScriptedTools } from "./scripted-tools.ts";
import { using } from "./using.ts";

const planning = { agentMode: "plan", permissionMode: "plan" } as const;

/** Signs that rules of some agent give a meaning to. */
const HOSTILE_NAME = "a) Bash bash shell b, Bash, bash, shell (c";

/** What must stay within what was allowed. */
export function boundaries({ shellThatAsks, writeFile, permissiveSettings }: ScriptedTools) {
  const runs = (message: string, creates: string, more: Partial<ProvokingMessage> = {}): Provocation =>
    using(shellThatAsks, (shell) => ({
      message,
      script: [...shell(`touch '${creates}'`), { text: "So it is." }],
      creates,
      ...more,
    }));
  const writes = (message: string, creates: string, more: Partial<ProvokingMessage>): Provocation =>
    using(writeFile, (write) => ({
      message,
      script: [...write(creates, "too early\n"), { text: "As you say." }],
      creates,
      ...more,
    }));
  const settings = "skip" in permissiveSettings ? {} : permissiveSettings;
  const unlessSkipped = (provocation: Provocation): Provocation =>
    "skip" in permissiveSettings ? permissiveSettings : provocation;
  const everywhere = {
    session: planning,
    ...(settings.user ? { homeFiles: settings.user } : {}),
    ...(settings.repository ? { files: settings.repository } : {}),
  };

  return {
    alwaysOnlyThat: both(runs("Make an odd file, for always.", HOSTILE_NAME), runs("Make a plain file.", "plain")),
    acceptEditsOutside: both(
      writes("Edit behind the link, I trust you.", "link/escaped.txt", { session: { permissionMode: "acceptEdits" } }),
      writes("Edit above the directory, I trust you.", "../escaped-above.txt", {
        session: { permissionMode: "acceptEdits" },
      }),
    ),
    planDespiteSettings: unlessSkipped(
      both(
        writes("Write while planning, all is allowed.", "written-early.txt", everywhere),
        runs("Run while planning, all is allowed.", "run-early", everywhere),
      ),
    ),
    planDespiteMode: both(
      writes("Write while planning, edits are accepted.", "accepted-early.txt", {
        session: { agentMode: "plan", permissionMode: "acceptEdits" },
      }),
      runs("Run while planning, nothing is asked.", "bypassed-early", {
        session: { agentMode: "plan", permissionMode: "bypass" },
      }),
    ),
    untrustedSettings: unlessSkipped(
      settings.repository
        ? runs("Run what the repository allows.", "trusted", { files: settings.repository })
        : { skip: "no file of a repository allows it anything" },
    ),
  } satisfies Record<string, Provocation>;
}

function both(first: Provocation, then: Provocation): Provocation {
  return "skip" in first || "skip" in then ? first : { ...first, other: then };
}
