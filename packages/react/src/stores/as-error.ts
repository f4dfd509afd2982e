export function asError(failure: unknown): Error {
  return failure instanceof Error ? failure : new Error(String(failure));
}
