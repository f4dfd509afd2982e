import { installFailure } from "../install-failure.ts";
import type { SourceName } from "./program-source.ts";

const all: readonly SourceName[] = ["directory", "npm", "vendor"];

const isSource = (word: string): word is SourceName => (all as readonly string[]).includes(word);

/** `SANDBOX_AGENT_SOURCES`: the places that programs come from, in the order they are tried; default: all. */
export function sourceOrder(env: Readonly<Record<string, string | undefined>>): readonly SourceName[] {
  const words = (env.SANDBOX_AGENT_SOURCES ?? "").split(/[\s,]+/).filter(Boolean);
  const wrong = words.find((word) => !isSource(word));
  if (wrong !== undefined) {
    const sentence = `SANDBOX_AGENT_SOURCES names "${wrong}", which is no source. There are: ${all.join(", ")}.`;
    throw installFailure(sentence, { step: "registry" });
  }
  return words.length === 0 ? all : [...new Set(words.filter(isSource))];
}
