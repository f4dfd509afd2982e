const MAX_CHUNKS = 200;

/** Cut a text at its words into at most 200 pieces that joined give the text again, to the byte. */
export function textChunks(text: string): string[] {
  const words = text.match(/\S+\s*|\s+/g) ?? [];
  const wordsPerChunk = Math.ceil(words.length / MAX_CHUNKS);
  const chunks: string[] = [];
  for (let at = 0; at < words.length; at += wordsPerChunk) chunks.push(words.slice(at, at + wordsPerChunk).join(""));
  return chunks;
}
