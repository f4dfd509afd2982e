import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import type { ProviderUnderTest } from "../../contract/describe-sandbox.ts";
import { sandboxLabel } from "../container-body.ts";
import { createDockerProvider } from "../docker-provider.ts";
import { readDockerSettings } from "../docker-settings.ts";
import { baseImage, baseMounts, type TestEngine } from "./test-engine.ts";

const run = promisify(execFile);

export interface DockerUnderTest extends ProviderUnderTest {
  /** What the provider was made with. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A provider on an engine for tests; what it made is removed in the end. */
export function dockerUnderTest(
  { engine, host }: TestEngine,
  changes: Readonly<Record<string, unknown>> = {},
): DockerUnderTest {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "sad-")));
  const settings = { host, image: baseImage, mounts: baseMounts, ...changes };
  const make = () => createDockerProvider({ directory, ...readDockerSettings(settings) });
  const ofSandbox = (id: string) => ({ filters: { label: [`${sandboxLabel}=${id}`] } });
  return {
    settings,
    provider: make(),
    another: make,
    async attachElsewhere(id) {
      const program = await bundleProgram("attach-program", directory);
      const { stdout } = await run(process.execPath, [program, JSON.stringify({ directory, settings }), id]);
      return JSON.parse(stdout);
    },
    async killDaemon({ id }) {
      const query = { ps_args: "-eo pid,args" };
      const { Processes } = await engine.call<{ Processes: string[][] }>("GET", `/containers/${id}/top`, { query });
      const daemon = Processes.find(([, args]) => /^\S*node \S*sandbox-agent\.cjs/.test(args ?? ""));
      process.kill(Number(daemon![0]), "SIGKILL");
    },
    async leftovers(id) {
      const query = { all: true, ...ofSandbox(id) };
      const containers = await engine.call<{ Id: string }[]>("GET", "/containers/json", { query });
      const { Volumes } = await engine.call<{ Volumes: { Name: string }[] | null }>("GET", "/volumes", {
        query: ofSandbox(id),
      });
      const sockets = readdirSync(directory).includes("sockets") ? readdirSync(join(directory, "sockets")) : [];
      return [
        ...containers.map(({ Id }) => Id),
        ...(Volumes ?? []).map(({ Name }) => Name),
        ...sockets.filter((name) => name === id),
      ];
    },
    async destroy() {
      rmSync(directory, { recursive: true, force: true });
      engine.close();
    },
  };
}

async function bundleProgram(name: string, directory: string): Promise<string> {
  const outfile = join(directory, `${name}.mjs`);
  const entry = new URL(`${name}.ts`, import.meta.url).pathname;
  const conditions = ["@sandbox-agent-ts/source"];
  const banner = { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' };
  await build({ entryPoints: [entry], bundle: true, platform: "node", format: "esm", conditions, outfile, banner });
  return outfile;
}
