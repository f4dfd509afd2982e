import type { SessionSettings } from "../sessions/session-settings.ts";
import type { ListedSession, RuntimeStore } from "../store/runtime-store.ts";
import type { SecretBox } from "./secret-box.ts";

const sessionsPerRead = 500;

/**
 * Seal every secret of a store with the key of today; how many were sealed with an older one. Once it has resolved, older
 * keys are needed no more. It may be broken off and done again.
 */
export async function resealSecrets(store: RuntimeStore, box: SecretBox): Promise<number> {
  let count = 0;
  for (const { sandboxId, token, state } of await store.sandboxes()) {
    const anew = state === "ended" ? undefined : box.resealed(token);
    if (anew !== undefined && (await store.updateSandbox(sandboxId, { token: anew }))) count += 1;
  }
  for await (const { sessionId, settings } of allSessions(store)) {
    const { sealed } = (settings ?? {}) as Partial<SessionSettings>;
    const anew = sealed === undefined ? undefined : box.resealed(sealed);
    if (anew === undefined) continue;
    await store.updateSession(sessionId, { settings: { ...(settings as SessionSettings), sealed: anew } });
    count += 1;
  }
  for (const row of await store.profiles()) {
    const { sealed } = (row.profile ?? {}) as { readonly sealed?: string };
    const anew = sealed === undefined ? undefined : box.resealed(sealed);
    if (anew === undefined) continue;
    await store.putProfile({ ...row, profile: { sealed: anew } });
    count += 1;
  }
  return count;
}

async function* allSessions(store: RuntimeStore): AsyncGenerator<ListedSession> {
  for (let after: ListedSession | undefined; ; ) {
    const { sessions, hasMore } = await store.sessions({ limit: sessionsPerRead, after });
    yield* sessions;
    after = sessions.at(-1);
    if (!hasMore) return;
  }
}
