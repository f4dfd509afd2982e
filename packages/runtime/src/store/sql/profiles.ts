import {
  counterId,
  headOf,
  type NewProfileVersion,
  newestGiven,
  type ProfileCounter,
  type ProfileHead,
  versionId,
  versionIn,
} from "../profile-versions.ts";
import type { StoredProfile } from "../runtime-store.ts";
import { fromJson, toJson } from "./json.ts";
import { query, queryLocked, type Steps } from "./steps.ts";

interface ProfileRow {
  readonly profile_id: string;
  readonly name: string;
  readonly profile: string | null;
  readonly updated_at: number;
}

export function* putProfile({ profileId, name, profile, updatedAt }: StoredProfile): Steps<void> {
  yield* query(
    `INSERT INTO profiles (profile_id, name, profile, updated_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (profile_id) DO UPDATE SET name = excluded.name, profile = excluded.profile,
      updated_at = excluded.updated_at`,
    profileId,
    name,
    toJson(profile),
    updatedAt,
  );
}

export function* readProfile(profileId: string): Steps<StoredProfile | undefined> {
  const [row] = yield* query<ProfileRow>("SELECT * FROM profiles WHERE profile_id = ?", profileId);
  return row && storedProfile(row);
}

export function* listProfiles(): Steps<readonly StoredProfile[]> {
  const rows = yield* query<ProfileRow>("SELECT * FROM profiles ORDER BY name, profile_id");
  return rows.map(storedProfile);
}

export function* deleteProfile(profileId: string): Steps<boolean> {
  return (yield* query("DELETE FROM profiles WHERE profile_id = ? RETURNING profile_id", profileId)).length > 0;
}

export function* addProfileVersion(added: NewProfileVersion): Steps<StoredProfile> {
  const { name, digest, content, updatedAt } = added;
  const newest = yield* lockVersions(name);
  const known = yield* readProfile(name);
  if (known && (known.profile as Partial<ProfileHead> | null)?.digest === digest) return known;
  const version = newest + 1;
  const head: StoredProfile = { profileId: name, name, profile: headOf(version, added), updatedAt };
  yield* putProfile({ profileId: versionId(name, version), name, profile: content, updatedAt });
  yield* putProfile(head);
  yield* keepNewest(name, version);
  return head;
}

export function* renewProfileDigest(name: string, version: number, digest: string): Steps<boolean> {
  const [row] = yield* queryLocked<ProfileRow>("SELECT * FROM profiles WHERE profile_id = ?", name);
  const known = row && storedProfile(row);
  const head = known?.profile as Partial<ProfileHead> | null | undefined;
  if (!known || head?.version !== version) return false;
  yield* putProfile({ ...known, profile: { ...head, digest } });
  return true;
}

export function* deleteProfileVersions(name: string): Steps<boolean> {
  const newest = yield* lockVersions(name);
  const rows = yield* query<ProfileRow>("SELECT profile_id FROM profiles WHERE name = ?", name);
  const used = yield* query<{ profile: string }>("SELECT DISTINCT profile FROM sessions WHERE profile IS NOT NULL");
  const isUsed = new Set(used.map(({ profile }) => profile));
  const unused = rows.filter(({ profile_id }) => versionIn(name, profile_id) !== undefined && !isUsed.has(profile_id));
  for (const { profile_id } of unused) yield* deleteProfile(profile_id);
  if (newest > 0) yield* keepNewest(name, newest);
  else yield* deleteProfile(counterId(name));
  return yield* deleteProfile(name);
}

/** The highest version that was ever given. Nobody else gives or forgets one until the transaction ends. */
function* lockVersions(name: string): Steps<number> {
  const [counter] = yield* query<ProfileRow>(
    `INSERT INTO profiles (profile_id, name, profile, updated_at) VALUES (?, ?, NULL, 0)
      ON CONFLICT (profile_id) DO UPDATE SET name = excluded.name RETURNING profile`,
    counterId(name),
    name,
  );
  const rows = yield* query<ProfileRow>("SELECT profile_id FROM profiles WHERE name = ?", name);
  const profileIds = rows.map(({ profile_id }) => profile_id);
  return newestGiven(name, profileIds, fromJson(counter!.profile));
}

function* keepNewest(name: string, newest: number): Steps<void> {
  const counter: ProfileCounter = { newest };
  yield* putProfile({ profileId: counterId(name), name, profile: counter, updatedAt: 0 });
}

function storedProfile({ profile_id, name, profile, updated_at }: ProfileRow): StoredProfile {
  return { profileId: profile_id, name, profile: fromJson(profile), updatedAt: updated_at };
}
