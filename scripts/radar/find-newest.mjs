import { thisPlatform } from "../../resources/agent-schemas/src/platform-package.mjs";
import { npmArguments } from "../download-package.mjs";
import { captureNpm } from "../run.mjs";

const plain = /^\d+\.\d+\.\d+$/;

/**
 * The newest version of the agent's own package for this platform: the tag of a wrapper may be ahead of it or behind. Of
 * versions only those that look like the pinned one count, not previews.
 */
export async function findNewest({ program, packageName }) {
  const { name, version: inRegistry = "{version}" } = packageFor(program, packageName);
  const [before, after] = inRegistry.split("{version}");
  const { versions } = await ask(name, ["versions"]);
  const shape = program.versionPattern === undefined ? plain : new RegExp(`^(?:${program.versionPattern.source})$`);
  const known = [versions ?? []]
    .flat()
    .filter((each) => each.startsWith(before) && each.endsWith(after))
    .map((each) => each.slice(before.length, each.length - after.length))
    .filter((each) => shape.test(each))
    .sort(byNumbers);
  const newest = known.at(-1);
  if (newest === undefined) throw new Error(`The registry has no version of ${name} like ${program.version}.`);
  return byNumbers(newest, program.version) > 0 ? newest : program.version;
}

/** What a version needs: `node` where it is JavaScript, and the platforms we know that it is not there for. */
export async function describeVersion({ program, packageName }, version) {
  const { source } = program;
  if (source?.kind !== "npm") {
    const name = packageName ?? source.package;
    const { "engines.node": node } = await ask(`${name}@${version}`, ["name", "engines.node"]);
    return { node, missingPlatforms: [] };
  }
  const missingPlatforms = [];
  for (const [platform, { name, version: inRegistry = "{version}" }] of Object.entries(source.packages)) {
    const exact = `${name}@${inRegistry.replace("{version}", version)}`;
    const found = await ask(exact, ["name", "version"]);
    if (found.version === undefined) missingPlatforms.push(platform);
  }
  return { missingPlatforms };
}

function packageFor({ name, source }, packageName) {
  if (packageName !== undefined) return { name: packageName };
  if (source.kind !== "npm") return { name: source.package };
  const found = source.packages[thisPlatform()];
  if (found === undefined) throw new Error(`There is no ${name} for ${thisPlatform()}.`);
  return found;
}

/** npm's own answer: it knows registries, proxies and credentials. Nothing of what is not there. */
async function ask(what, fields) {
  const args = ["view", what, ...fields, "--json", ...npmArguments()];
  const { code, stdout, output } = await captureNpm(args);
  if (code !== 0 && /\bE404\b/.test(output)) return {};
  if (code !== 0) throw new Error(`npm could not be told about ${what}: ${output.trim().split("\n", 1)[0]}`);
  const answer = JSON.parse(stdout.trim() || "{}");
  return fields.length === 1 ? { [fields[0]]: answer } : answer;
}

/** By the numbers in it, one after the other. */
function byNumbers(a, b) {
  const [left, right] = [a, b].map((version) => version.split(/[.-]/).map(Number));
  const at = left.findIndex((number, index) => number !== right[index]);
  return at === -1 ? 0 : left[at] - right[at];
}
