const queues = new Map<string, Promise<unknown>>();

/** Work of this process on one thing, one after the other. */
export async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  const turn = (queues.get(name) ?? Promise.resolve()).then(work);
  const settled = turn.catch(() => undefined);
  queues.set(name, settled);
  try {
    return await turn;
  } finally {
    if (queues.get(name) === settled) queues.delete(name);
  }
}
