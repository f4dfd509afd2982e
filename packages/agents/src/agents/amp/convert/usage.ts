import type { Usage } from "@sandbox-agent-ts/protocol";
import type { AmpUsage } from "../dialect.ts";

/** Each message of the model has its own; a turn is the sum. `input_tokens` are all of them, as other agents count. */
export function addUsage(before: Usage | null, usage: AmpUsage | undefined): Usage | null {
  if (usage === undefined) return before;
  const read = usage.cache_read_input_tokens ?? 0;
  const written = usage.cache_creation_input_tokens ?? 0;
  const cached = (before?.cached_input_tokens ?? 0) + read;
  const allWritten = (before?.cache_write_tokens ?? 0) + written;
  return {
    input_tokens: (before?.input_tokens ?? 0) + (usage.input_tokens ?? 0) + read + written,
    output_tokens: (before?.output_tokens ?? 0) + (usage.output_tokens ?? 0),
    ...(cached === 0 ? {} : { cached_input_tokens: cached }),
    ...(allWritten === 0 ? {} : { cache_write_tokens: allWritten }),
  };
}
