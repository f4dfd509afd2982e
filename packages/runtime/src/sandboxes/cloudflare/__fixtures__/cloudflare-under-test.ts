import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import type { ProviderUnderTest } from "../../contract/describe-sandbox.ts";
import { createCloudflareProvider } from "../cloudflare-provider.ts";
import { readCloudflareSettings } from "../cloudflare-settings.ts";

const run = promisify(execFile);

/** What the suite of sandboxes must be able to do behind the provider's back. */
export interface BehindTheWorker {
  readonly settings: Readonly<Record<string, unknown>>;
  /** Process ids of this machine of the daemons in a box. */
  daemons(id: string): Promise<readonly number[]>;
  leftovers(id: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

export function cloudflareUnderTest({ settings, daemons, leftovers, close }: BehindTheWorker): ProviderUnderTest {
  const make = () => createCloudflareProvider(readCloudflareSettings(settings));
  return {
    provider: make(),
    another: make,
    leftovers,
    destroy: close,
    async attachElsewhere(id) {
      const directory = mkdtempSync(join(tmpdir(), "cloudflare-attach-"));
      try {
        const program = await bundleProgram(directory);
        const { stdout } = await run(process.execPath, [program, JSON.stringify(settings), id]);
        return JSON.parse(stdout);
      } finally {
        rmSync(directory, { recursive: true });
      }
    },
    async killDaemon({ id }) {
      const found = await daemons(id);
      if (found.length === 0) throw new Error(`There is no daemon in ${id}.`);
      for (const pid of found) process.kill(pid, "SIGKILL");
    },
  };
}

async function bundleProgram(directory: string): Promise<string> {
  const outfile = join(directory, "attach-program.mjs");
  const entry = new URL("attach-program.ts", import.meta.url).pathname;
  const conditions = ["@sandbox-agent-ts/source"];
  await build({ entryPoints: [entry], bundle: true, platform: "node", format: "esm", conditions, outfile });
  return outfile;
}
