import type { SessionSettings } from "../sessions/session-settings.ts";
import { type ProfileHead, versionId } from "../store/profile-versions.ts";
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
  await renewDigests(store, box);
  for (const row of await store.profiles()) {
    const { sealed } = (row.profile ?? {}) as { readonly sealed?: string };
    const anew = sealed === undefined ? undefined : box.resealed(sealed);
    if (anew === undefined) continue;
    await store.putProfile({ ...row, profile: { sealed: anew } });
    count += 1;
  }
  return count;
}

/** So that the next version of a profile is told from the same again without the older key. */
async function renewDigests(store: RuntimeStore, box: SecretBox): Promise<void> {
  const rows = await store.profiles();
  for (const { profileId: name, profile } of rows) {
    const { version, digest } = (profile ?? {}) as Partial<ProfileHead>;
    const newest = rows.find(({ profileId }) => version !== undefined && profileId === versionId(name, version));
    const { sealed } = (newest?.profile ?? {}) as { readonly sealed?: string };
    if (version === undefined || sealed === undefined) continue;
    const today = box.digest(box.open(sealed));
    if (digest !== today) await store.renewProfileDigest(name, version, today);
  }
}

async function* allSessions(store: RuntimeStore): AsyncGenerator<ListedSession> {
  for (let after: ListedSession | undefined; ; ) {
    const { sessions, hasMore } = await store.sessions({ limit: sessionsPerRead, after });
    yield* sessions;
    after = sessions.at(-1);
    if (!hasMore) return;
  }
}
