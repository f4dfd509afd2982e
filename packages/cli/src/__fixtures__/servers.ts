import { adminKey, RuntimeProcess } from "../runtime/__fixtures__/runtime-process.ts";
import type { CliHome } from "./cli-home.ts";

/** What the command line may talk to: one daemon, or a runtime with a daemon in each sandbox. */
export const serverKinds = ["a daemon", "a runtime"] as const;
export type ServerKind = (typeof serverKinds)[number];

/** Start a server of this kind and point the CLI at it; answers how it is ended with everything it made. */
export async function startServerOf(
  kind: ServerKind,
  home: CliHome,
  runtimeFlags: readonly string[] = [],
): Promise<() => Promise<void>> {
  if (kind === "a daemon") {
    await home.startServer();
    return async () => {};
  }
  const runtime = await RuntimeProcess.start(home, { flags: runtimeFlags });
  Object.assign(home.env, { SANDBOX_AGENT_ENDPOINT: runtime.url, SANDBOX_AGENT_TOKEN: adminKey });
  return async () => {
    // A sandbox outlives its runtime, and ends with its session.
    const { sessions } = await home.json<{ sessions: { sessionId: string }[] }>("sessions", "list", "--json");
    for (const { sessionId } of sessions) await home.run(["sessions", "delete", sessionId]);
    await runtime.end("SIGTERM");
  };
}
