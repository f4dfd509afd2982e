/** How versions of profiles lie among the rows of profiles: the newest under its name, each as `name@version`. */

export interface NewProfileVersion {
  /** Without an `@`. */
  readonly name: string;
  /** Of what is in it: the same as the newest is no new version. */
  readonly digest: string;
  readonly description?: string | undefined;
  /** Opaque: what is in it. */
  readonly content: unknown;
  readonly updatedAt: number;
}

/** What the row under the name alone says of the newest version. */
export interface ProfileHead {
  readonly version: number;
  readonly digest: string;
  readonly description?: string;
}

export function headOf(version: number, { digest, description }: NewProfileVersion): ProfileHead {
  return { version, digest, ...(description ? { description } : {}) };
}

/** A row that stays when the profile is deleted, with the last number that was given. */
export interface ProfileCounter {
  readonly newest: number;
}

export const counterId = (name: string): string => `${name}@`;

export const versionId = (name: string, version: number): string => `${name}@${version}`;

/** The version that a row has of this profile; undefined for any other row. */
export function versionIn(name: string, profileId: string): number | undefined {
  if (!profileId.startsWith(counterId(name))) return undefined;
  const version = profileId.slice(name.length + 1);
  return /^[1-9]\d*$/.test(version) ? Number(version) : undefined;
}

/** The highest number that was ever given. */
export function newestGiven(name: string, profileIds: readonly string[], counter: unknown): number {
  const { newest = 0 } = (counter ?? {}) as Partial<ProfileCounter>;
  return Math.max(newest, ...profileIds.map((profileId) => versionIn(name, profileId) ?? 0));
}
