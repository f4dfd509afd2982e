import type { Usage } from "@sandbox-agent-ts/protocol";
import type { Tokens } from "../dialect.ts";

/** OpenCode tells the tokens of each step, those of subagents in their own sessions. */
export function addTokens(a: Tokens = {}, b: Tokens = {}): Tokens {
  const sum = (one: number | undefined, other: number | undefined) => (one ?? 0) + (other ?? 0);
  return {
    input: sum(a.input, b.input),
    output: sum(a.output, b.output),
    reasoning: sum(a.reasoning, b.reasoning),
    cache: { read: sum(a.cache?.read, b.cache?.read), write: sum(a.cache?.write, b.cache?.write) },
  };
}

/** It counts what came from the cache, and what was only thought, apart from the rest; we count them in. */
export function usageOf({ input = 0, output = 0, reasoning = 0, cache: { read = 0, write = 0 } = {} }: Tokens): Usage {
  return {
    input_tokens: input + read + write,
    output_tokens: output + reasoning,
    cached_input_tokens: read,
    cache_write_tokens: write,
    reasoning_tokens: reasoning,
  };
}
