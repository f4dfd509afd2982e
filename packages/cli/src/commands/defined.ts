type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** The object without the keys that have no value, so that nothing is sent for them. */
export function defined<T extends object>(object: T): Defined<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Defined<T>;
}
