import { execFile } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import type { ProviderService } from "../../../../../testing/src/providers/provider-service.ts";
import type { ProviderUnderTest } from "../../contract/describe-sandbox.ts";
import type { ProviderDescription } from "../../registry.ts";

const run = promisify(execFile);
const daemon = /^\S*node\S* \S*sandbox-agent\.cjs/;

export interface ProviderOfServiceOptions {
  readonly description: ProviderDescription;
  readonly service: ProviderService;
  /** In addition to those of the service. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Packages that are not to be bundled: the service's SDK. */
  readonly external: readonly string[];
}

/** A provider on a fake service, for `describeSandbox`. The service ends with it. */
export async function providerOfService(options: ProviderOfServiceOptions): Promise<ProviderUnderTest> {
  const { description, service, external } = options;
  const directory = realpathSync(mkdtempSync(join(tmpdir(), `${description.name}-under-test-`)));
  const settings = { ...service.settings, ...options.settings };
  const open = () => description.create({ directory, settings });
  const another = await open();
  return {
    provider: await open(),
    another: () => another,
    async attachElsewhere(id) {
      const program = await attachProgram(description.name, directory, external);
      const told = JSON.stringify({ directory, settings });
      const { stdout } = await run(process.execPath, [program, told, id]);
      return JSON.parse(stdout);
    },
    async killDaemon({ id }) {
      const found =
        service.boxes
          .get(id)
          ?.processes()
          .filter(({ command }) => daemon.test(command)) ?? [];
      if (found.length === 0) throw new Error(`There is no daemon in ${id}.`);
      for (const { pid } of found) process.kill(pid, "SIGKILL");
    },
    async leftovers(id) {
      const isAlive = service.ledger.alive.some((entry) => entry.id === id);
      return [...(service.boxes.get(id)?.leftovers() ?? []), ...(isAlive ? [`${id} in the books`] : [])];
    },
    async destroy() {
      await service.close();
      rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Attaches to a sandbox in a process of its own and prints what it finds: `attach.mjs options id`. */
async function attachProgram(name: string, directory: string, external: readonly string[]): Promise<string> {
  const outfile = join(directory, "attach.mjs");
  const contents = `
    import { provider } from "../../${name}/index.ts";
    const [, , options, id] = process.argv;
    const sandbox = await (await provider.create(JSON.parse(options))).attach(id);
    const { url = "", headers = {}, fetch: own = fetch } = (await sandbox?.endpoint()) ?? {};
    const answer = await own(new URL("/v1/health", url), { headers });
    console.log(JSON.stringify({ ...(await sandbox?.status()), health: await answer.json() }));
    process.exit();`;
  await build({
    stdin: { contents, resolveDir: new URL(".", import.meta.url).pathname, loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@sandbox-agent-ts/source"],
    external: [...external],
    banner: {
      js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
    },
    outfile,
  });
  return outfile;
}
