import { posix } from "node:path";
import { getAsset } from "node:sea";
import { compileFunction } from "node:vm";

const loaded = new Map<string, { exports: unknown }>();
const parameters = ["exports", "require", "module", "__filename", "__dirname"];

/** Load a part of the CLI's bundle from inside the executable, as `require` would from files: once, and not before. */
export function loadPart(name: string): unknown {
  const known = loaded.get(name);
  if (known) return known.exports;
  const part = { exports: {} };
  loaded.set(name, part);
  const folder = posix.dirname(name);
  const requireFrom = (id: string): unknown => (id.startsWith(".") ? loadPart(posix.join(folder, id)) : require(id));
  const run = compileFunction(getAsset(name, "utf8"), parameters, { filename: `sandbox-agent/${name}` });
  run(part.exports, requireFrom, part, name, folder);
  return part.exports;
}
