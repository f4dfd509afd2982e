import { resolve } from "node:path";
import picomatch from "picomatch";
import { type PathBase, realForm, uniform } from "./path-forms.ts";

const options = { dot: true, noextglob: true, strictSlashes: false } as const;

interface Glob {
  readonly excludes: boolean;
  /** The directory that everything is in that fits. */
  readonly root: string;
  fits(path: string): boolean;
  fitsInAnyCase(path: string): boolean;
}

/** The path patterns of a rule. */
export interface PathGlobs {
  readonly hasExclusions: boolean;
  /** In doubt: not. */
  fits(path: string): boolean;
  /** In doubt, on file systems that do not tell cases apart: yes. */
  mayFit(path: string): boolean;
  /** Whether something below the directory may fit. */
  mayFitBelow(directory: string): boolean;
}

export function pathGlobs(patterns: readonly string[], base: PathBase): PathGlobs {
  const globs = patterns.flatMap((pattern) => compile(pattern, base));
  const exclusions = globs.filter(({ excludes }) => excludes);
  const inclusions = globs.filter(({ excludes }) => !excludes);
  const isExcluded = (path: string) => exclusions.some((glob) => glob.fits(path));
  const isAll = inclusions.length === 0;
  return {
    hasExclusions: exclusions.length > 0,
    fits: (path) => !isExcluded(path) && (isAll || inclusions.some((glob) => glob.fits(path))),
    mayFit: (path) => !isExcluded(path) && (isAll || inclusions.some((glob) => glob.fitsInAnyCase(path))),
    mayFitBelow: (directory) => {
      if (isAll) return true;
      const within = (inner: string, outer: string) => inner === outer || inner.startsWith(withSlash(outer));
      return inclusions.some(({ root }) => within(root, directory) || within(directory, root));
    },
  };
}

/** A pattern names its directory as it is written and as the file system knows it. */
function compile(pattern: string, base: PathBase): Glob[] {
  const excludes = pattern.startsWith("!");
  const text = excludes ? pattern.slice(1) : pattern;
  const { base: start, glob } = picomatch.scan(uniform(text));
  const expanded = start === "~" || start.startsWith("~/") ? `${base.home}${start.slice(1)}` : start;
  const literal = resolve(base.directory, expanded);
  const roots = new Set([uniform(literal), uniform(realForm(literal))]);
  return [...roots].map((root) => {
    const whole = glob === "" ? escapeGlob(root) : `${withSlash(escapeGlob(root))}${glob}`;
    // What is named without a wildcard may be a directory: everything in it is meant too.
    const all = glob === "" ? [whole, `${withSlash(whole)}**`] : [whole];
    return {
      excludes,
      root,
      fits: picomatch(all, options),
      fitsInAnyCase: picomatch([...all, `${withSlash(whole)}**`], { ...options, nocase: true }),
    };
  });
}

function withSlash(path: string): string {
  return path.endsWith("/") ? path : `${path}/`;
}

function escapeGlob(path: string): string {
  return path.replaceAll(/[\\*?[\]{}()!+@|]/g, "\\$&");
}
