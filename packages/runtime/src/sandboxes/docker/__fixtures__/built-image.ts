import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { type AgentAdapter, cacheDirectory } from "@sandbox-agent-ts/agents";
import { installProgram } from "@sandbox-agent-ts/agents/install";
import { pack } from "tar-stream";
import { inRoot } from "../../../../../../scripts/root.mjs";
import { findRegistries } from "../../../../../agents/src/install/npm-registry.ts";
import { programParts } from "../../../../../agents/src/install/program-parts.ts";
import type { DockerEngine } from "../docker-engine.ts";

/** Programs that our Dockerfile, the start of a daemon and its diffs need. */
const programs = ["sh", "mkdir", "cp", "chmod", "chown", "rm", "ln", "git"];
/** What every image with glibc has, whoever needs it. */
const libraries = ["libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0", "librt.so.1"];

/** An image with Node and a shell of this machine, in the place of one from a registry; its name. */
export async function ensureNodeImage(engine: DockerEngine): Promise<string> {
  if ((await engine.find("GET", `/images/${nodeImage}/json`)) === undefined) await importBase(engine, nodeImage);
  return nodeImage;
}

const nodeImage = "sandbox-agent-test-node:2";

async function importBase(engine: DockerEngine, name: string): Promise<void> {
  const archive = pack();
  const files = new Map([["usr/bin/node", realpathSync(process.execPath)]]);
  for (const program of programs) files.set(`usr/bin/${program}`, realpathSync(`/usr/bin/${program}`));
  for (const program of [...files.values()]) {
    for (const [, library] of execFileSync("ldd", [program], { encoding: "utf8" }).matchAll(/(\/lib\S+)/g)) {
      files.set(`usr${library}`, realpathSync(library!));
    }
  }
  const [libc] = [...files.keys()].filter((path) => path.endsWith("/libc.so.6"));
  for (const name of libraries) files.set(join(dirname(libc!), name), realpathSync(join("/", dirname(libc!), name)));
  for (const path of ["tmp", "etc", "opt", "home", "proc", "sys", "dev", "run", "var"]) {
    archive.entry({ name: path, type: "directory", mode: path === "tmp" ? 0o1777 : 0o755 });
  }
  for (const path of ["bin", "lib", "lib64"]) archive.entry({ name: path, type: "symlink", linkname: `usr/${path}` });
  archive.entry({ name: "etc/passwd" }, "root:x:0:0::/root:/bin/sh\nnode:x:1000:1000::/home/agent:/bin/sh\n");
  for (const [path, source] of files) archive.entry({ name: path, mode: 0o755 }, readFileSync(source));
  archive.finalize();
  const [repo, tag] = name.split(":") as [string, string];
  await engine.call("POST", "/images/create", { query: { fromSrc: "-", repo, tag }, archive });
}

/** Our Dockerfile, built by the engine from the bundle that is here and the packages of agents, without a network. */
export async function buildImage(
  engine: DockerEngine,
  name: string,
  agents: readonly AgentAdapter[] = [],
): Promise<void> {
  const base = await ensureNodeImage(engine);
  const archive = pack();
  for (const path of ["Dockerfile", "deploy/images/install.sh", ...filesOfDist()])
    archive.entry({ name: path }, readFileSync(inRoot(path)));
  for (const agent of agents) {
    for (const [name, source] of await packagesOf(agent)) {
      archive.entry({ name, mode: lstatSync(source).mode & 0o777 }, readFileSync(source));
    }
  }
  archive.finalize();
  const registry = (await findRegistries(process.env))("").url;
  const AGENTS = agents.map(({ id }) => id).join(" ");
  const buildargs = { NODE_IMAGE: base, BUNDLE: "built", AGENTS, SANDBOX_AGENT_NPM_REGISTRY: registry };
  const query = { t: name, buildargs, networkmode: "none", forcerm: true };
  const said = await text(await engine.stream("POST", "/build", { query, archive, isEndless: true }));
  if ((await engine.find("GET", `/images/${name}/json`)) === undefined) throw new Error(`not built: ${said}`);
}

/** What the cache of packages has of an agent's program, by its place in the context of a build. */
async function packagesOf({ program }: AgentAdapter): Promise<[path: string, source: string][]> {
  if (!program) return [];
  const cache = cacheDirectory(process.env);
  const installRoot = mkdtempSync(join(tmpdir(), "agent-programs-"));
  const env = { npm_config_userconfig: join(homedir(), ".npmrc"), ...process.env };
  await installProgram(program, { env, installRoot }).finally(() => rmSync(installRoot, { recursive: true }));
  const stems = programParts(program, program.version).parts.map(
    ({ name, version }) => `${name.replace("/", "+")}@${version}-`,
  );
  const found = readdirSync(join(cache, "packages")).filter((name) => stems.some((stem) => name.startsWith(stem)));
  return found
    .flatMap((name) => below(join("packages", name), cache))
    .map((path) => [`.agent-cache/${path}`, join(cache, path)]);
}

function filesOfDist(): string[] {
  const dist = "packages/cli/dist";
  const wanted = ["sandbox-agent.cjs", "THIRD-PARTY-NOTICES.txt", "parts", "ui"].map((name) => join(dist, name));
  return wanted.filter((path) => existsSync(dirname(inRoot(path)))).flatMap((path) => below(path, inRoot()));
}

/** All files at a path and below it, relative to a directory. */
function below(path: string, directory: string): string[] {
  const place = join(directory, path);
  if (!lstatSync(place).isDirectory()) return [path];
  return readdirSync(place).flatMap((name) => below(join(path, name), directory));
}
