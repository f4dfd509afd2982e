import { basename } from "node:path";

/** What a part requires of the bundle itself: `./parts/…` in the entry, `./…` in a part. */
const requiredPart = /\brequire\("\.\/(?:parts\/)?([\w.-]+)"\)/g;

/**
 * Put some parts of a CommonJS bundle into its entry: files that are needed at every start cost more to find and to open
 * than to run. `parts` are texts by file name; answers the texts that are left, the entry's with the joined ones in it.
 */
export function joinParts(parts, entry, joined) {
  const inEntry = new Set([...joined, entry]);
  const fromEntry = (call, name) => {
    if (inEntry.has(name)) return `joinedPart("${name}")`;
    return parts.has(name) ? `require("./parts/${name}")` : call;
  };
  const fromPart = (call, name) => (inEntry.has(name) ? `require("../${entry}")("${name}")` : call);
  const definitions = [...inEntry].map(
    (name) => `"${name}":(module,exports)=>{${parts.get(name).replace(requiredPart, fromEntry)}\n}`,
  );
  const rest = [...parts].filter(([name]) => !inEntry.has(name));
  return new Map([
    ...rest.map(([name, text]) => [name, text.replace(requiredPart, fromPart)]),
    [entry, `${loader}const joinedParts={${definitions.join(",\n")}};\njoinedPart("${entry}");\n`],
  ]);
}

const loader = `"use strict";
const joinedModules=new Map();
function joinedPart(name){
  let part=joinedModules.get(name);
  if(part===undefined){joinedModules.set(name,part={exports:{}});joinedParts[name](part,part.exports)}
  return part.exports}
module.exports=joinedPart;
`;

/** The names of what `roots` evaluate when they are loaded, by an esbuild metafile. */
export function loadedWith({ outputs }, roots) {
  const paths = Object.keys(outputs).filter((path) => roots.some((root) => basename(path).startsWith(root)));
  for (const path of paths) {
    for (const { path: next, kind, external } of outputs[path].imports) {
      if (kind !== "dynamic-import" && !external && !paths.includes(next)) paths.push(next);
    }
  }
  return paths;
}
