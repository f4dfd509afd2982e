/** A list in which every entry that says the same as before is the same object as before, and so is the list itself. */
export function reconcileList<T>(keyOf: (entry: T) => string) {
  return (previous: readonly T[], next: readonly T[]): readonly T[] => {
    const known = new Map(previous.map((entry) => [keyOf(entry), entry]));
    const merged = next.map((entry) => same(known.get(keyOf(entry)), entry));
    const unchanged = merged.length === previous.length && merged.every((entry, index) => entry === previous[index]);
    return unchanged ? previous : merged;
  };
}

function same<T>(known: T | undefined, entry: T): T {
  if (known === entry) return entry;
  return known !== undefined && JSON.stringify(known) === JSON.stringify(entry) ? known : entry;
}
