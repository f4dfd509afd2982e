import fc from "fast-check";
import type { JsonRpcCall } from "../../json-rpc/json-rpc-message.ts";

type Path = readonly (string | number)[];

/** The same calls with random JSON in the place of one value of one of them; `at` says of which. */
export function spoiled(calls: readonly JsonRpcCall[]): fc.Arbitrary<{ at: number; calls: JsonRpcCall[] }> {
  const places = calls.flatMap(({ params }, at) => pathsOf(params).map((path) => ({ at, path })));
  return fc.record({ place: fc.constantFrom(...places), value: oddValue }).map(({ place: { at, path }, value }) => {
    const call = calls[at]!;
    return { at, calls: calls.with(at, { ...call, params: replaced(call.params, path, value) }) };
  });
}

const oddValue = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(null, 7, true, "", [], {}, [null], { type: "text" }, "text", -1, 1e300) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constant(null).map(() => nested(5_000)) },
);

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let n = 0; n < levels; n++) value = { a: value };
  return value;
}

function pathsOf(value: unknown, path: Path = []): Path[] {
  const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [path, ...inner.flatMap(([name, one]) => pathsOf(one, [...path, name]))];
}

function replaced(value: unknown, [name, ...rest]: Path, by: unknown): unknown {
  if (name === undefined) return by;
  if (Array.isArray(value)) return value.map((one, at) => (String(at) === name ? replaced(one, rest, by) : one));
  const object = value as Record<string, unknown>;
  return { ...object, [name]: replaced(object[name], rest, by) };
}
