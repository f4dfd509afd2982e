import type { SessionInfo } from "@sandbox-agent-ts/protocol";

/** Where a session of a runtime runs, in a few words; a daemon's has none. */
export function sandboxWords(runtime: SessionInfo["runtime"]): string | undefined {
  if (!runtime) return undefined;
  const { sandbox } = runtime;
  if (!sandbox) return "No sandbox";
  const { status, statusMessage } = sandbox;
  const why = statusMessage?.replace(/\.$/, "");
  if (status === "starting") return why ?? "Starting a sandbox …";
  if (status === "ready") return why === undefined ? "Sandbox ready" : `Sandbox ${lowered(why)}`;
  const word = status === "unhealthy" ? "Sandbox does not answer" : "Sandbox ended";
  return why === undefined ? word : `${word}: ${lowered(why)}`;
}

function lowered(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}
