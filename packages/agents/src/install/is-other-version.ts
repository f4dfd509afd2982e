/** What is behind the numbers may be told in another way; the numbers may not. */
export function isOtherVersion(said: string, wanted: string): boolean {
  const numbers = (version: string) => /^\d+(?:\.\d+)*/.exec(version)?.[0];
  return numbers(said) !== numbers(wanted);
}
