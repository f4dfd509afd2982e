import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { cgroupDirectories } from "@sandbox-agent-ts/agents/processes";
import { build } from "esbuild";
import type { ProviderUnderTest } from "../../contract/describe-sandbox.ts";
import { createLocalProvider, type LocalProviderOptions } from "../local-provider.ts";
import { sandboxVariable } from "../sandbox-processes.ts";

const run = promisify(execFile);

export interface LocalUnderTest extends ProviderUnderTest {
  readonly root: string;
}

/** A provider with a folder of its own that is removed in the end. */
export async function localUnderTest(options: Omit<LocalProviderOptions, "root"> = {}): Promise<LocalUnderTest> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "local-provider-")));
  const root = join(top, "sandboxes");
  const make = () => createLocalProvider({ root, ...options });
  return {
    root,
    provider: make(),
    another: make,
    async attachElsewhere(id) {
      const program = await bundleProgram("attach-program", top);
      const { stdout } = await run(process.execPath, [program, root, id]);
      return JSON.parse(stdout);
    },
    async killDaemon({ id }) {
      const daemon = processesOf(id).find(({ args }) => /^\S*node \S*sandbox-agent\.cjs/.test(args));
      process.kill(daemon!.pid, "SIGKILL");
    },
    async leftovers(id) {
      const groups = cgroupDirectories().map(({ own }) => join(own, `sandbox-agent-${id}`));
      const folders = [join(root, id), ...groups].filter((path) => existsSync(path));
      return [...processesOf(id).map(({ args }) => args), ...folders];
    },
    async destroy() {
      for (const id of existsSync(root) ? readdirSync(root) : []) await (await make().attach(id))?.destroy();
      rmSync(top, { recursive: true, force: true });
    },
  };
}

/** A program of this folder as one file that Node runs. */
export async function bundleProgram(name: string, directory: string): Promise<string> {
  const outfile = join(directory, `${name}.mjs`);
  const entry = new URL(`${name}.ts`, import.meta.url).pathname;
  const conditions = ["@sandbox-agent-ts/source"];
  await build({ entryPoints: [entry], bundle: true, platform: "node", format: "esm", conditions, outfile });
  return outfile;
}

/** All that run in a sandbox, as this machine sees them. */
export function processesOf(id: string): { readonly pid: number; readonly args: string }[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name) || !read(name, "environ").includes(`${sandboxVariable}=${id}`)) return [];
    return [{ pid: Number(name), args: read(name, "cmdline").replaceAll("\0", " ") }];
  });
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}
