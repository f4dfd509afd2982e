import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { AppServer } from "./server/app-server.ts";
import { quietParams } from "./thread-settings.ts";

const TIMEOUT_MS = 60_000;

interface ListedHook {
  readonly key: string;
  readonly source: string;
  readonly currentHash: string;
}

/**
 * Codex runs only hooks whose hash is among those that somebody has reviewed. This says so of the hooks that a thread is
 * begun with, and of no others: letting all pass would let pass those of the repository and of the user's own settings, too.
 * The hashes are Codex's own, told in a thread that is begun for them alone, with no servers in it, and deleted.
 */
export async function hookTrust(server: AppServer, hooks: object, ownServers: readonly string[]): Promise<object> {
  const count = Object.values(hooks).flat().length;
  if (count === 0) return {};
  const ask = <T>(method: string, params: object) => server.request<T>(method, params, { timeoutMs: TIMEOUT_MS });
  const off = Object.fromEntries(ownServers.map((name) => [`mcp_servers.${name}.enabled`, false]));
  const { thread } = await ask<{ thread: { id: string } }>("thread/start", quietParams({ ...hooks, ...off }));
  try {
    const { data } = await ask<{ data: { hooks: ListedHook[] }[] }>("hooks/list", { threadId: thread.id });
    const given = data.flatMap((entry) => entry.hooks).filter(({ source }) => source === "sessionFlags");
    if (given.length !== count) throw unknownHooks();
    const state = given.map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]);
    return { "hooks.state": Object.fromEntries(state) };
  } finally {
    await ask("thread/delete", { threadId: thread.id });
  }
}

function unknownHooks(): SandboxError {
  const sentence =
    "This version of Codex does not tell of the hooks it was given, so that they cannot be trusted alone.";
  return new SandboxError("stream_error", sentence, { agent: "codex" });
}
