import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { pack } from "tar-stream";
import { inRoot } from "../../../../../../scripts/root.mjs";
import type { DockerEngine } from "../docker-engine.ts";

/** Programs that our Dockerfile and the start of a daemon need. */
const programs = ["sh", "mkdir", "cp", "chmod", "chown", "rm", "ln"];

/** A root file system with Node and a shell, made of this machine's, in the place of one from a registry. */
async function importBase(engine: DockerEngine, name: string): Promise<void> {
  const archive = pack();
  const files = new Map([["usr/bin/node", realpathSync(process.execPath)]]);
  for (const program of programs) files.set(`usr/bin/${program}`, realpathSync(`/usr/bin/${program}`));
  for (const program of [...files.values()]) {
    for (const [, library] of execFileSync("ldd", [program], { encoding: "utf8" }).matchAll(/(\/lib\S+)/g)) {
      files.set(`usr${library}`, realpathSync(library!));
    }
  }
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

/** Our Dockerfile, built by the engine from the bundle that is here, without a network. */
export async function buildImage(engine: DockerEngine, name: string): Promise<void> {
  const base = "sandbox-agent-test-node:1";
  if ((await engine.find("GET", `/images/${base}/json`)) === undefined) await importBase(engine, base);
  const archive = pack();
  for (const path of ["Dockerfile", ...filesOfDist()]) archive.entry({ name: path }, readFileSync(inRoot(path)));
  archive.finalize();
  const buildargs = { NODE_IMAGE: base, BUNDLE: "built" };
  const query = { t: name, buildargs, networkmode: "none", forcerm: true };
  const said = await text(await engine.stream("POST", "/build", { query, archive, isEndless: true }));
  if ((await engine.find("GET", `/images/${name}/json`)) === undefined) throw new Error(`not built: ${said}`);
}

function filesOfDist(): string[] {
  const dist = "packages/cli/dist";
  const wanted = ["sandbox-agent.cjs", "THIRD-PARTY-NOTICES.txt", "parts", "ui"].map((name) => join(dist, name));
  const below = (path: string): string[] =>
    lstatSync(inRoot(path)).isDirectory()
      ? readdirSync(inRoot(path)).flatMap((name) => below(join(path, name)))
      : [path];
  return wanted.filter((path) => existsSync(dirname(inRoot(path)))).flatMap(below);
}
