/** The client's types tell an absent field from one that is undefined; JSON does not. */
type Sent<T> = T extends (infer Item)[]
  ? Sent<Item>[]
  : T extends object
    ? { [Field in keyof T]: Sent<Exclude<T[Field], undefined>> }
    : T;

export function asSent<T>(request: T): Sent<T> {
  return request as Sent<T>;
}
