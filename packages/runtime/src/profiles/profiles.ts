import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { AgentProfile, type ListedProfile, SandboxError } from "@sandbox-agent-ts/protocol";
import type { SecretBox } from "../access/secret-box.ts";
import type { AgentProfileListData } from "../persistence/persistence-adapter.ts";
import type { ProfileHead } from "../store/profile-versions.ts";
import type { RuntimeStore, StoredProfile } from "../store/runtime-store.ts";

export interface ProfilesOptions {
  readonly store: RuntimeStore;
  readonly secrets: SecretBox;
  /** A folder with a profile in each of its folders; looked at whenever one is asked for. */
  readonly directory?: string | undefined;
  /** Those that the application keeps, which have no versions. */
  readonly application?: ApplicationProfiles | undefined;
}

interface ApplicationProfiles {
  /** Those that it tells of in time. */
  profiles(): Promise<readonly AgentProfileListData[]>;
  profile(name: string): Promise<AgentProfile | undefined>;
}

/** A profile with the reference by which a session has it, which has a version where the runtime keeps it. */
export interface FoundProfile extends ListedProfile {
  readonly reference: string;
  readonly profile: AgentProfile;
}

const plainName = /^[A-Za-z0-9][\w.-]{0,63}$/;
const reference = /^([A-Za-z0-9][\w.-]{0,63})(?:@([1-9]\d{0,8}))?$/;

/**
 * The profiles of a runtime, by name. Each change is a new version, and a version never changes: a session goes on with the
 * one it began with, also when the profile was changed or deleted since. All of a version is sealed in the store.
 */
export class Profiles {
  readonly #options: ProfilesOptions;

  constructor(options: ProfilesOptions) {
    this.#options = options;
  }

  /** By name; of those with the same name the runtime's own. */
  async list(): Promise<readonly ListedProfile[]> {
    await this.#readDirectory();
    const given = (await this.#options.application?.profiles()) ?? [];
    const own = (await this.#options.store.profiles()).filter(isHead).map(listed);
    const byName = new Map([...given.map(givenProfile), ...own].map((profile) => [profile.name, profile]));
    return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** `name`, or `name@version`; of a name that the runtime does not know, the application's. */
  async get(wanted: string): Promise<FoundProfile> {
    const own = await this.#own(wanted);
    if (own) return own;
    const profile = await this.#options.application?.profile(wanted);
    if (!profile) throw noSuchProfile(wanted);
    return { name: wanted, reference: wanted, profile };
  }

  async #own(wanted: string): Promise<FoundProfile | undefined> {
    const [, name = "", version] = reference.exec(wanted) ?? [];
    if (name !== "") await this.#readFolder(name);
    const head = name === "" ? undefined : await this.#options.store.profile(name);
    if (!head) return undefined;
    const known = listed(head);
    const chosen = version === undefined ? known.version : Number(version);
    const profile = await this.load(`${name}@${chosen}`);
    return { ...known, version: chosen, reference: `${name}@${chosen}`, profile };
  }

  /** A version as it was written, also of a profile that was deleted since. */
  async load(versionReference: string): Promise<AgentProfile> {
    const row = await this.#options.store.profile(versionReference);
    if (!row) throw noSuchProfile(versionReference);
    const { sealed } = row.profile as { sealed: string };
    return JSON.parse(this.#options.secrets.open(sealed)) as AgentProfile;
  }

  /** A new version, unless it is the same as the newest. */
  async put(name: string, profile: AgentProfile): Promise<ListedProfile> {
    if (!plainName.test(name)) {
      const sentence =
        "The name of a profile has 1 to 64 letters, digits or any of _ . - and begins with a letter or digit.";
      throw new SandboxError("invalid_request", sentence);
    }
    const { store, secrets } = this.#options;
    const text = JSON.stringify(profile);
    const digest = secrets.digest(text);
    const description = profile.description ?? undefined;
    const content = { sealed: secrets.seal(text) };
    const newest = (await store.profile(name))?.profile as Partial<ProfileHead> | null | undefined;
    if (newest?.version !== undefined && secrets.olderDigests(text).includes(newest.digest ?? "")) {
      await store.renewProfileDigest(name, newest.version, digest);
    }
    return listed(await store.addProfileVersion({ name, digest, description, content, updatedAt: Date.now() }));
  }

  /** False when there was none. Versions that no session began with are gone with it. */
  async delete(name: string): Promise<boolean> {
    return plainName.test(name) && this.#options.store.deleteProfileVersions(name);
  }

  async #readDirectory(): Promise<void> {
    const { directory } = this.#options;
    if (directory === undefined) return;
    const entries = await readdir(directory, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isDirectory() && plainName.test(entry.name)).map(({ name }) => name);
    for (const name of names) await this.#readFolder(name);
  }

  /** What the files say counts, as soon as they differ from the newest version. */
  async #readFolder(name: string): Promise<void> {
    const { directory } = this.#options;
    if (directory === undefined) return;
    const names = await readdir(directory);
    if (!names.includes(name)) return;
    const { readProfile } = await import("@sandbox-agent-ts/agents/read-profile");
    await this.put(name, AgentProfile.parse(await readProfile(join(directory, name))));
  }
}

function isHead({ profileId, profile }: StoredProfile): boolean {
  return !profileId.includes("@") && typeof (profile as Partial<ProfileHead> | null)?.version === "number";
}

function givenProfile({ id, name, description }: AgentProfileListData): ListedProfile {
  return { name: id, ...(name === id ? {} : { title: name }), ...(description === undefined ? {} : { description }) };
}

function listed({ name, profile, updatedAt }: StoredProfile): ListedProfile & { version: number } {
  const { version, description } = profile as ProfileHead;
  return { name, version, updatedAt, ...(description === undefined ? {} : { description }) };
}

function noSuchProfile(wanted: string): SandboxError {
  return new SandboxError("not_found", `There is no profile "${wanted}". \`GET /api/profiles\` lists those there are.`);
}
