const loopbackOf: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "[::]": "[::1]" };

/** "Listen everywhere" is no address to go to: from this machine it is reached at the local one. */
export function reachableUrl(text: string): string {
  const url = new URL(text);
  url.hostname = loopbackOf[url.hostname] ?? url.hostname;
  return url.origin;
}
