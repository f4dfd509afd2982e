import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { root } from "./root.mjs";

/** A module that knows every folder with such a file. Each is imported only when it is asked for. */
export async function folderRegistry({ folder, path, name, file = "index.ts" }) {
  const from = relative(dirname(path), folder);
  const shown = from === "" ? "beside it" : `in ${from}/`;
  const header = `// Made by \`npm run gen\` from the folders ${shown}. Do not edit.\n\n`;
  const start = from.startsWith("..") ? from : ["."].concat(from === "" ? [] : from).join("/");
  const lines = (await namesIn(folder, file)).map((id) => `  ${key(id)}: () => import("${start}/${id}/${file}"),\n`);
  return { path, text: `${header}export const ${name} = {\n${lines.join("")}} as const;\n` };
}

async function namesIn(folder, file) {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  const names = await readdir(path);
  return names.filter((name) => existsSync(join(path, name, file))).sort();
}

function key(name) {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
}
