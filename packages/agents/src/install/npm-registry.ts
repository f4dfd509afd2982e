import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { askNpm, nodePrefix } from "./ask-npm.ts";
import { installFailure } from "./install-failure.ts";
import { findNetwork, type Network } from "./network.ts";
import { type NpmSettings, readNpmSettings } from "./npmrc.ts";
import { authorizationFor } from "./registry-authorization.ts";

/** Filled in by the build of the CLI. */
declare const SANDBOX_AGENT_DEFAULT_REGISTRY: string | undefined;

type Environment = Readonly<Record<string, string | undefined>>;

/** The registry a package is fetched from. */
export interface NpmRegistry {
  /** Ends with a slash and has no credentials in it. */
  readonly url: string;
  /** The header for a request to this URL, where npm knows credentials for it. */
  authorization(url: string): string | undefined;
  readonly network: Network;
}

/** What npm is configured with on this machine. */
export interface NpmOfMachine {
  registryOf(packageName: string): NpmRegistry;
  readonly network: Network;
}

/**
 * Says for a package which registry npm is configured for: `SANDBOX_AGENT_NPM_REGISTRY` for every package, else what npm
 * (on `PATH`, or the one that came with Node) answers for the package's scope or in general, else, without an npm, what
 * its variables and files say, else npm's own default, which only a bundled program knows. Npm is asked once, here.
 */
export async function findRegistries(
  env: Environment,
  node: string = process.execPath,
): Promise<(packageName: string) => NpmRegistry> {
  return (await findNpm(env, node)).registryOf;
}

export async function findNpm(env: Environment, node: string = process.execPath): Promise<NpmOfMachine> {
  const own = env.SANDBOX_AGENT_NPM_REGISTRY || undefined;
  const npm = own === undefined ? await askNpm(env, node) : undefined;
  const settings = readNpmSettings(npmrcFiles(env, npm, node), env);
  const network = findNetwork({ ...npm, ...settings }, env);
  const registryOf = (packageName: string) => {
    const named = own ?? registryIn(npm ?? {}, packageName) ?? registryIn(settings, packageName) ?? defaultRegistry();
    if (named === undefined) throw noRegistry();
    return openRegistry(named, settings, network);
  };
  return { registryOf, network };
}

function defaultRegistry(): string | undefined {
  return typeof SANDBOX_AGENT_DEFAULT_REGISTRY === "string" ? SANDBOX_AGENT_DEFAULT_REGISTRY || undefined : undefined;
}

function registryIn(settings: Readonly<Record<string, unknown>>, packageName: string): string | undefined {
  const scope = /^(@[^/]+)\//.exec(packageName)?.[1];
  const named = (scope && settings[`${scope}:registry`]) || settings.registry;
  return typeof named === "string" && named !== "" ? named : undefined;
}

/** Of the user, of the machine. Credentials are only in these: npm does not tell them. */
function npmrcFiles(env: Environment, npm: Readonly<Record<string, unknown>> | undefined, node: string): string[] {
  const named = (key: "userconfig" | "globalconfig") => {
    const file = npm?.[key] ?? env[`npm_config_${key}`] ?? env[`NPM_CONFIG_${key.toUpperCase()}`];
    return typeof file === "string" && file !== "" ? resolve(file) : undefined;
  };
  const user = named("userconfig") ?? join(env.HOME || homedir(), ".npmrc");
  const machine = named("globalconfig") ?? join(nodePrefix(node), "etc", "npmrc");
  return [user, machine];
}

function openRegistry(named: string, settings: NpmSettings, network: Network): NpmRegistry {
  const url = parseUrl(named);
  const inUrl = url.username === "" ? undefined : basic(url);
  const { host } = url;
  url.username = "";
  url.password = "";
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return {
    url: url.href,
    network,
    authorization: (target) =>
      (new URL(target).host === host ? inUrl : undefined) ?? authorizationFor(target, settings),
  };
}

function basic({ username, password }: URL): string {
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString("base64")}`;
}

function parseUrl(named: string): URL {
  const url = URL.canParse(named) ? new URL(named) : undefined;
  if (url?.protocol === "https:" || url?.protocol === "http:") return url;
  throw installFailure("The package registry that is configured is not an http(s) URL. Correct npm's `registry`.", {
    step: "registry",
    url: named,
  });
}

function noRegistry(): Error {
  return installFailure(
    "No package registry is known: npm is not there, and neither its variables nor an .npmrc name one. " +
      "Install npm, or set SANDBOX_AGENT_NPM_REGISTRY.",
    { step: "registry" },
  );
}
