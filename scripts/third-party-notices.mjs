import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, parse } from "node:path";

const licenseFile = /^(licen[cs]e|copying|notice)(\.(md|txt))?$|^licen[cs]e[-.]\w+(\.(md|txt))?$/i;

/**
 * The licences of the packages that these files are from, as one text. Files outside of `node_modules` are ours. Throws for
 * a package without a licence text: nobody may distribute it.
 */
export function thirdPartyNotices(files) {
  const folders = new Set(files.filter((file) => /[\\/]node_modules[\\/]/.test(file)).map(packageFolder));
  const notices = [...folders].map(noticeOf).sort(([one], [other]) => (one < other ? -1 : 1));
  const unique = new Map(notices);
  return [
    "Parts of these packages are included in this program, under their own licences.",
    ...[...unique].map(([title, text]) => `${"-".repeat(80)}\n${title}\n\n${text}`),
  ].join("\n\n");
}

/** The folder of the nearest manifest with a name: some packages have nameless ones inside. */
function packageFolder(file) {
  for (let folder = dirname(file); folder !== parse(folder).root; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).version) return folder;
  }
  throw new Error(`${file} is in node_modules and in no package.`);
}

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const texts = readdirSync(folder)
    .filter((file) => licenseFile.test(file))
    .sort();
  if (texts.length === 0) throw new Error(`${name} is bundled and has no licence file. Use another package.`);
  const text = texts.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n");
  return [`${name} ${version} (${license})`, `${text}\n`];
}
