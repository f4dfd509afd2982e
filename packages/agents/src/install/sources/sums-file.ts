/** The SHA-256 of a file in what `sha256sum` writes: lines of a hash, a space or a star, and a name. */
export function sumIn(text: string, name: string): string | undefined {
  for (const line of text.split(/\r?\n/)) {
    const [, hash, listed] = /^([0-9a-f]{64})\s+\*?(.+?)\s*$/i.exec(line) ?? [];
    if (hash !== undefined && listed?.replace(/^\.\//, "") === name) return hash.toLowerCase();
  }
  return undefined;
}
