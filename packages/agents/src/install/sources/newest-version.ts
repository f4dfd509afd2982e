import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { AgentProgram } from "../agent-program.ts";
import { installFailure, withoutSecrets } from "../install-failure.ts";
import { textOf } from "../json-fields.ts";
import { forThisMachine } from "../machine-build.ts";
import { defaultNetworkLimits, type NetworkLimits } from "../network-limits.ts";
import { findNpm, type NpmOfMachine } from "../npm-registry.ts";
import { notForHere } from "../program-parts.ts";
import { latestInRegistry } from "../resolve-package.ts";
import { type AskVendor, vendorAsker } from "./ask-vendor.ts";
import { firstThatHas, type Place } from "./first-that-has.ts";
import { findMirrors } from "./mirrors.ts";
import { sourceOrder } from "./source-order.ts";
import { notAVendors, parse } from "./vendor-checksum.ts";
import type { VersionLookup } from "./vendor-releases.ts";

/** A version becomes the name of a folder. */
export function isVersion(text: string): boolean {
  return /^\d[0-9a-z.+-]{0,127}$/i.test(text);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** The newest version of the program that can be had, as the first of its sources says it that can. */
export async function newestVersion(program: AgentProgram, env: Environment, limits?: NetworkLimits): Promise<string> {
  return (await versionLookup(env, limits))(program);
}

/** The same for many programs: npm is asked once. */
export async function versionLookup(
  env: Environment,
  limits: NetworkLimits = defaultNetworkLimits,
): Promise<(program: AgentProgram) => Promise<string>> {
  const npm = await findNpm(env);
  const ask = vendorAsker(env, findMirrors(env), npm.network, limits);
  return async (program) => {
    const places: Place<string>[] = sourceOrder(env).flatMap((source) => {
      if (source === "npm") return [{ label: "npm's registry", attempt: () => inRegistry(program, npm, limits) }];
      if (source === "directory" || !program.vendor) return [];
      return program.vendor.hosts.map(({ newest }) => ({
        label: new URL(newest.url).host,
        attempt: () => atVendor(newest, ask),
      }));
    });
    if (places.length > 0) return firstThatHas(places);
    const sentence = `No source says which version of ${program.name} is the newest. Give an exact one, e.g. ${program.version}.`;
    throw new SandboxError("invalid_request", sentence, { agent: program.name });
  };
}

async function inRegistry(
  { name, version, source }: AgentProgram,
  { registryOf }: NpmOfMachine,
  limits: NetworkLimits,
): Promise<string> {
  // Of another version nobody knows what it needs.
  if (source.kind === "npm-node" && source.dependencies !== undefined) return version;
  const asked = source.kind === "npm" ? forThisMachine(source.packages)?.name : source.package;
  if (asked === undefined) throw notForHere(name, source.kind === "npm" ? Object.keys(source.packages) : []);
  const registry = registryOf(asked);
  const latest = await latestInRegistry(registry, asked, limits);
  if (isVersion(latest)) return latest;
  throw installFailure(`The registry says that ${JSON.stringify(latest)} is the latest ${asked}.`, {
    step: "resolve",
    url: registry.url,
  });
}

/** Some vendors have numbers that are never reached, for tests of their own. */
const neverReached = /^99\.99\./;

async function atVendor(lookup: VersionLookup, ask: AskVendor): Promise<string> {
  const answer = await ask(lookup);
  const said = lookup.kind === "text" ? answer.bytes.toString("utf8").trim() : tagOf(parse(answer), lookup.prefix);
  if (said === undefined || !isVersion(said)) throw notAVendors(answer.url);
  if (!neverReached.test(said)) return said;
  const sentence = `${withoutSecrets(answer.url)} says ${said}, which is not a version that can be had.`;
  throw installFailure(sentence, { step: "resolve", url: answer.url });
}

function tagOf(release: unknown, prefix: string): string | undefined {
  const tag = textOf(release, "tag_name");
  return tag?.startsWith(prefix) ? tag.slice(prefix.length) : undefined;
}
