import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, parse, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";

const maxLinks = 40;

/** Where paths are relative to. */
export interface PathBase {
  readonly directory: string;
  readonly home: string;
}

/**
 * Every absolute path that a text may mean: as it is written, with the other separators, unquoted, and each of them as the
 * file system resolves it. Empty when it cannot be told what file it is.
 */
export function pathForms(text: string, base: PathBase): readonly string[] {
  const forms = new Set<string>();
  for (const written of spellings(text)) {
    const path = expandHome(fromUrl(written), base.home);
    if (path === undefined || path.includes("\0")) return [];
    const absolute = isAbsolute(path) ? path : `${base.directory}${sep}${path}`;
    const literal = resolve(absolute);
    const real = realForm(absolute);
    // They are other files for the agent's process than for ours.
    if ([literal, real].some((form) => /^\/(proc\/[^/]+\/(cwd|root|fd|task)|dev\/fd)(\/|$)/.test(form))) return [];
    forms.add(uniform(literal));
    forms.add(uniform(real));
  }
  return [...forms];
}

/** The way a path is written for comparisons. */
export function uniform(path: string): string {
  return (sep === "\\" ? path.replaceAll("\\", "/") : path).normalize("NFC");
}

function spellings(text: string): readonly string[] {
  const trimmed = text.trim();
  const unquoted = /^(["'`])(.+)\1$/s.exec(trimmed)?.[2];
  const all = [text, trimmed, ...(unquoted === undefined ? [] : [unquoted])];
  return [...all, ...all.map((spelling) => spelling.replaceAll("\\", "/"))];
}

function fromUrl(text: string): string | undefined {
  if (!/^file:/i.test(text)) return text;
  try {
    return fileURLToPath(text);
  } catch {
    return undefined;
  }
}

function expandHome(path: string | undefined, home: string): string | undefined {
  if (path === undefined || path === "~") return path && home;
  if (/^~[/\\]/.test(path)) return join(home, path.slice(2));
  // The home of somebody else, for a shell.
  return path.startsWith("~") && sep === "/" ? undefined : path;
}

/**
 * The file that the system would open: symlinks are followed before `..` is, also those whose target is not there yet, and
 * what does not exist is taken as written.
 */
export function realForm(absolute: string, links = 0): string {
  const { root } = parse(absolute);
  let current = root;
  for (const name of absolute.slice(root.length).split(sep)) {
    if (name === "" || name === ".") continue;
    current = name === ".." ? dirname(current) : realEntry(join(current, name), links);
  }
  return current;
}

function realEntry(path: string, links: number): string {
  try {
    return realpathSync.native(path);
  } catch {
    const target = linkTarget(path);
    if (target === undefined || links >= maxLinks) return path;
    return realForm(isAbsolute(target) ? target : `${dirname(path)}${sep}${target}`, links + 1);
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}
