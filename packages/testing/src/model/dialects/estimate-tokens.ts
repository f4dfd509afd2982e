const CHARACTERS_PER_TOKEN = 4;

/** No tokenizer: an answer of the right size that is the same every time. */
export function estimateTokens(body: unknown): number {
  return Math.ceil(JSON.stringify(body).length / CHARACTERS_PER_TOKEN);
}
