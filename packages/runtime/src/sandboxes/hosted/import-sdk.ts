import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { SandboxProviderError } from "../sandbox-provider.ts";

export interface SdkPlaces {
  /** A file beside which the packages are that this program was installed with. */
  readonly own: string;
  /** The directory of whoever started it. */
  readonly project: string;
}

/**
 * A service's SDK, which nobody has who does not use the service: found beside this program, in the directory it was started
 * in, or along `NODE_PATH`. `range` is as in `npm install`: `^2.51`, `~1.4`, or `>=0.216 <1`. Rejects with what to install
 * where it is missing, of another version, or another project's package of the same name.
 */
export async function importSdk<T>(
  name: string,
  load: () => Promise<T>,
  range: string,
  places: SdkPlaces = { own: import.meta.url ?? __filename, project: process.cwd() },
): Promise<T> {
  const bases = [places.own, join(places.project, "package.json")];
  const found = bases.flatMap((base) => {
    const version = versionBeside(base, name);
    return version === undefined ? [] : [{ base, version }];
  });
  const right = found.find(({ version }) => isWithin(version, range));
  if (right === undefined) throw new SandboxProviderError("unavailable", missing(name, range, found[0]?.version));
  try {
    return right.base === places.own ? await load() : (createRequire(right.base)(name) as T);
  } catch (cause) {
    const detail = `The package ${name} ${right.version} is installed, but cannot be loaded: ${(cause as Error).message}`;
    throw new SandboxProviderError("unavailable", detail, { cause });
  }
}

function missing(name: string, range: string, other: string | undefined): string {
  const is = other === undefined ? "is not installed" : `is there in version ${other}, which is not the one it needs`;
  return `The provider needs the package ${name}, which ${is}. Install it beside this program, or in the directory you start it in: npm install ${quotedFor(name, range)}`;
}

const quotedFor = (name: string, range: string) => (/[<> ]/.test(range) ? `"${name}@${range}"` : `${name}@${range}`);

/** Undefined where a `require` from there finds none. */
function versionBeside(base: string, name: string): string | undefined {
  for (const folder of createRequire(base).resolve.paths(name) ?? []) {
    try {
      const { version } = JSON.parse(readFileSync(join(folder, name, "package.json"), "utf8")) as { version?: unknown };
      return String(version);
    } catch {
      // Not in this one.
    }
  }
  return undefined;
}

function isWithin(version: string, range: string): boolean {
  return range.split(/\s+/).every((part) => holds(version, part));
}

function holds(version: string, part: string): boolean {
  const [, operator = "", bound = ""] = /^(\^|~|>=|<)(.+)$/.exec(part) ?? [];
  const [is, least] = [numbersOf(version), numbersOf(bound)];
  switch (operator) {
    case "<":
      return compare(is, least) < 0;
    case ">=":
      return compare(is, least) >= 0;
    case "~":
      return compare(is, least) >= 0 && is[0] === least[0] && is[1] === least[1];
    case "^": {
      const first = Math.max(
        0,
        least.findIndex((number) => number > 0),
      );
      return compare(is, least) >= 0 && is.slice(0, first + 1).every((number, index) => number === least[index]);
    }
    default:
      throw new Error(`"${part}" is no range of versions that is understood here.`);
  }
}

/** Of a version before a release: those of the release. */
function numbersOf(version: string): [number, number, number] {
  const [major = 0, minor = 0, patch = 0] = version.split(/[-+]/)[0]!.split(".").map(Number);
  return [major, minor, patch];
}

function compare(a: readonly number[], b: readonly number[]): number {
  return a.map((number, index) => number - b[index]!).find((difference) => difference !== 0) ?? 0;
}
