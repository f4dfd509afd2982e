import type { ProfileCommand } from "@sandbox-agent-ts/protocol";

const invocation = /^\/([A-Za-z0-9][\w.-]*)(?:\s+([\s\S]*))?$/;

/**
 * What the agent is told for a message: of one that begins with `/name` of a command of the session its prompt, with the
 * words behind it in the places of `$ARGUMENTS` and `$1` … `$9`, or at the end where there is no such place; else the
 * message itself. Pure.
 */
export function expandCommand(message: string, commands: Readonly<Record<string, ProfileCommand>> = {}): string {
  const [, name = "", words = ""] = invocation.exec(message.trim()) ?? [];
  if (!Object.hasOwn(commands, name)) return message;
  const { prompt } = commands[name]!;
  const all = words.trim();
  const each = all.split(/\s+/);
  const places = /\$ARGUMENTS|\$[1-9]/g;
  if (!places.test(prompt)) return all === "" ? prompt : `${prompt}\n\n${all}`;
  return prompt.replaceAll(places, (place) => (place === "$ARGUMENTS" ? all : (each[Number(place[1]) - 1] ?? "")));
}
