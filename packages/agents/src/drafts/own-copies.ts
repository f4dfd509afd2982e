/** What a conversion may write into, because it is a copy of its own. */
export type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A map with copies of the values, made once for all lines of a read: a copy for each delta would be slower by far. */
export function copiesOf<Key, Value extends object>(map: ReadonlyMap<Key, Value>): Map<Key, Writable<Value>> {
  const copies = new Map<Key, Writable<Value>>();
  for (const [key, value] of map) copies.set(key, { ...value });
  return copies;
}
