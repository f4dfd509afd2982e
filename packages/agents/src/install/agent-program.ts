import type { MachineBuild } from "./machine-build.ts";
import type { VendorReleases } from "./sources/vendor-releases.ts";

/**
 * The program behind an agent, as a description: what it is called, which version we drive, and where its files come
 * from. An agent's folder holds one such object and no code for installing; `locateProgram` and `installProgram` are the
 * same for all agents.
 */
export interface AgentProgram {
  /**
   * The agent's id. It is also the name of the folder in the install root, of the variable `SANDBOX_AGENT_<NAME>_BIN` that
   * overrides everything, and of the command on `PATH` unless `command` is another.
   */
  readonly name: string;
  readonly command?: string;
  /** The version its adapter is tested with: what gets installed unless a session asks for another. */
  readonly version: string;
  readonly source: ProgramSource;
  /** The vendor's own releases, where they are a source too: of the same program, in the same versions. */
  readonly vendor?: VendorReleases;
  /**
   * Programs that it starts itself, where it does not bring them along: they are installed with it, and without them an
   * installed one is not there. One that somebody else installed is taken to have what it needs.
   */
  readonly needs?: readonly AgentProgram[];
  /** How it is asked for its version: it must answer soon, without a network and without a session. Default `--version`. */
  readonly versionArgs?: readonly string[];
  /** Finds the version in what it then prints; the first group, else the whole match. Default: the first `1.2.3…`. */
  readonly versionPattern?: RegExp;
  /** How it is signed in; absent where one that it `needs` is what has to be. */
  readonly signIn?: ProgramSignIn;
  /** Where its model is asked, for a check that it can be reached; absent where that depends on the user's configuration. */
  readonly modelService?: {
    /** A variable that names another base URL. */
    readonly variable: string;
    /** Absent where only that variable says it. */
    readonly url?: string;
  };
}

export interface ProgramSignIn {
  /** What makes the program itself sign a person in; absent where it cannot. `note` says what to do in it. */
  readonly login?: { readonly args: readonly string[]; readonly note?: string };
  /** Variables that hold a key or a token, the usual one first. */
  readonly variables: readonly string[];
  /** What a person is told to set, where that is more than the first of the variables. */
  readonly set?: string;
}

/** Where a program's files come from. A new kind is one more member here and one more case in `program-parts.ts`. */
export type ProgramSource = NpmSource | NodeSource;

/** A package of the npm registry that holds the program ready to run: no install scripts, no dependencies. */
export interface NpmSource {
  readonly kind: "npm";
  /** A platform that is not here has to come from elsewhere. */
  readonly packages: Readonly<Partial<Record<MachineBuild, NpmPackage>>>;
}

export interface NpmPackage {
  readonly name: string;
  /** The package's version where it is not simply the program's, e.g. `{version}-linux-x64`. */
  readonly version?: `${string}{version}${string}`;
  /** The executable file, as a path inside the package. */
  readonly binary: string;
}

/**
 * A package of the npm registry that holds JavaScript for Node, on any platform with a POSIX shell: what is located and
 * started is a small launcher that runs the Node that installed it, or the one on `PATH` when that is gone. No install
 * scripts are run.
 */
export interface NodeSource {
  readonly kind: "npm-node";
  /** The package; it has the version of the program. */
  readonly package: string;
  /** The file that Node is started with, as a path inside the package. */
  readonly entry: string;
  /**
   * Everything it imports from other packages, directly or not, as one flat list. With such a list no other version of the
   * program can be installed: nobody knows what that one would need.
   */
  readonly dependencies?: readonly NodeDependency[];
  /** Absent where it runs on every Node that we do. */
  readonly node?: NodeOfRegistry;
}

/** A Node to run a program with that does not run on every Node we do; it is installed where ours is older. */
export interface NodeOfRegistry {
  readonly version: string;
  /** By platform, the package with its `bin/node`. */
  readonly packages: Readonly<Partial<Record<Platform, string>>>;
}

export interface NodeDependency {
  readonly name: string;
  /** Exact: what a session ran with yesterday it runs with today. */
  readonly version: string;
  /** The package whose own `node_modules` it goes into, where two need different versions. Default: the common one. */
  readonly within?: string;
  /** The only platforms it is for, where it is not for all. */
  readonly platforms?: readonly Platform[];
}

/** `musl` where the C library is musl (Alpine); a statically linked program is listed under both. */
export type Platform =
  | "linux-x64"
  | "linux-x64-musl"
  | "linux-arm64"
  | "linux-arm64-musl"
  | "darwin-x64"
  | "darwin-arm64"
  | "win32-x64"
  | "win32-arm64";

/** Where programs are looked for, and with what. An `AgentHost` is one. */
export interface ProgramPlace {
  /** Has `PATH`, `HOME`, the overriding variables and whatever npm is configured with. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Holds `<name>/<version>/` for each installed program. */
  readonly installRoot: string;
}

export interface LocatedProgram {
  readonly path: string;
  /** Of an installed program the version of its package, else what it says itself; absent when it does not say. */
  readonly version?: string;
  readonly source: "environment" | "installed" | "path";
}
