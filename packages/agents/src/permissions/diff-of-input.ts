import {
  absolutePath,
  inputOf,
  newTexts,
  oldTexts,
  patchedFiles,
  pathsOfInput,
  textOf,
} from "@sandbox-agent-ts/protocol";
import { diffTexts } from "../diff/unified-diff.ts";

/**
 * The change that the input of a tool describes, before it has happened, as a unified diff whose lines are counted from
 * the beginning of what the input shows. Of a file that is written whole only the new text is known. Pure.
 */
export function diffOfInput(rawInput: unknown, directory: string): string | undefined {
  const input = inputOf(rawInput);
  const patched = patchedFiles(rawInput, input);
  if (patched.length > 0) {
    const diffs = patched.map(({ change, path, movedTo, before, after }) => {
      if (change === "delete") return `--- a/${shown(path, directory)}\n+++ /dev/null\n`;
      const to = shown(movedTo ?? path, directory);
      return diffTexts(to, change === "add" ? undefined : before, after, shown(path, directory));
    });
    return diffs.join("");
  }
  const [path] = pathsOfInput(input);
  if (path === undefined) return undefined;
  const edits = Array.isArray(input.edits) ? input.edits.map(inputOf) : [input];
  const diffs = edits.flatMap((edit) => {
    const after = textOf(edit, newTexts);
    return after === undefined ? [] : [diffTexts(shown(path, directory), textOf(edit, oldTexts) ?? "", after)];
  });
  return diffs.length === 0 ? undefined : diffs.join("");
}

/** As seen from the directory, where it lies in it. */
function shown(path: string, directory: string): string {
  const absolute = absolutePath(path, { directory });
  return absolute.startsWith(`${directory}/`) ? absolute.slice(directory.length + 1) : absolute.replace(/^\/+/, "");
}
