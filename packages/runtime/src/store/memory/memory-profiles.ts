import {
  counterId,
  headOf,
  type NewProfileVersion,
  newestGiven,
  type ProfileHead,
  versionId,
  versionIn,
} from "../profile-versions.ts";
import type { StoredProfile } from "../runtime-store.ts";

export class MemoryProfiles {
  readonly #rows = new Map<string, StoredProfile>();

  put(profile: StoredProfile): void {
    this.#rows.set(profile.profileId, structuredClone(profile));
  }

  get(profileId: string): StoredProfile | undefined {
    return structuredClone(this.#rows.get(profileId));
  }

  all(): readonly StoredProfile[] {
    return structuredClone([...this.#rows.values()]);
  }

  delete(profileId: string): boolean {
    return this.#rows.delete(profileId);
  }

  addVersion(added: NewProfileVersion): StoredProfile {
    const { name, digest, content, updatedAt } = added;
    const known = this.get(name);
    if (known && (known.profile as Partial<ProfileHead> | null)?.digest === digest) return known;
    const version = this.#newest(name) + 1;
    const head: StoredProfile = { profileId: name, name, profile: headOf(version, added), updatedAt };
    this.put({ profileId: versionId(name, version), name, profile: content, updatedAt });
    this.put(head);
    this.put({ profileId: counterId(name), name, profile: { newest: version }, updatedAt: 0 });
    return head;
  }

  renewDigest(name: string, version: number, digest: string): boolean {
    const known = this.get(name);
    const head = known?.profile as Partial<ProfileHead> | null | undefined;
    if (!known || head?.version !== version) return false;
    this.put({ ...known, profile: { ...head, digest } });
    return true;
  }

  deleteVersions(name: string, used: ReadonlySet<string | undefined>): boolean {
    const newest = this.#newest(name);
    for (const profileId of [...this.#rows.keys()]) {
      if (versionIn(name, profileId) !== undefined && !used.has(profileId)) this.#rows.delete(profileId);
    }
    if (newest > 0) this.put({ profileId: counterId(name), name, profile: { newest }, updatedAt: 0 });
    return this.#rows.delete(name);
  }

  #newest(name: string): number {
    return newestGiven(name, [...this.#rows.keys()], this.#rows.get(counterId(name))?.profile);
  }
}
