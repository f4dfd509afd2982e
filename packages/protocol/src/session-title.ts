const maxLength = 80;

/** What a session is called that was not given a title: the first line of its first message. */
export function titleFrom(message: string): string | undefined {
  const line = message.trim().split("\n", 1)[0]!;
  if (line === "") return undefined;
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}
