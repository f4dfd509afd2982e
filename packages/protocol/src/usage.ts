import { z } from "zod";

const tokens = z.int().nonnegative();

export const Usage = z
  .object({
    input_tokens: tokens,
    output_tokens: tokens,
    cached_input_tokens: tokens.optional(),
    cache_write_tokens: tokens.optional(),
    reasoning_tokens: tokens.optional(),
  })
  .meta({ id: "Usage", description: "Tokens of one turn, or of all turns of a session" });
export type Usage = z.infer<typeof Usage>;

export const Cost = z
  .object({ amount: z.number().nonnegative(), currency: z.string() })
  .meta({ id: "Cost", description: "What one turn cost, where the agent tells" });
export type Cost = z.infer<typeof Cost>;
