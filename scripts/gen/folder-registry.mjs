import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { root } from "./root.mjs";

/** A module that knows every folder with an `index.ts`. Each is imported only when it is asked for. */
export async function folderRegistry({ folder, path, name }) {
  const from = relative(dirname(path), folder);
  const shown = from === "" ? "beside it" : `in ${from}/`;
  const header = `// Made by \`npm run gen\` from the folders ${shown}. Do not edit.\n\n`;
  const place = ["", from].filter((part, index) => index === 0 || part !== "").join("/");
  const lines = (await namesIn(folder)).map((id) => `  ${key(id)}: () => import(".${place}/${id}/index.ts"),\n`);
  return { path, text: `${header}export const ${name} = {\n${lines.join("")}} as const;\n` };
}

async function namesIn(folder) {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  const names = await readdir(path);
  return names.filter((name) => existsSync(join(path, name, "index.ts"))).sort();
}

function key(name) {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
}
