/** The suites of hosted providers, on a service without a protocol: what they ask for can be had. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { buildCli, cliBundle } from "../../../../../scripts/setup.mjs";
import { describeSandbox } from "../contract/describe-sandbox.ts";
import { findBubblewrap } from "../local/bubblewrap.ts";
import { createMadeUpProvider } from "./__fixtures__/made-up-provider.ts";
import { type MachineKind, MadeUpService } from "./__fixtures__/made-up-service.ts";
import { describeHostedProvider } from "./contract/describe-hosted-provider.ts";

const kinds: Readonly<Record<string, MachineKind>> = {
  "that keeps memory": { suspend: "memory", extend: true },
  "that keeps files": { suspend: "disk", extend: true },
  "that keeps nothing": { suspend: false, extend: false },
};

/** What does not depend on what is kept. */
const alike = [
  "session",
  "daemonKilled",
  "lost",
  "restart",
  "secrets",
  "rateLimit",
  "serviceError",
  "hangingCreate",
  "lostAnswer",
  "expiredKey",
  "outage",
  "loginPage",
  "moved",
];
const seenAlready = "it is the same with machines that keep memory";

const bundle = dirname(cliBundle);
const timeout = 60_000;
const bubblewrap = findBubblewrap();
const missing = "problem" in bubblewrap ? bubblewrap.problem : undefined;
const directory = realpathSync(mkdtempSync(join(tmpdir(), "made-up-")));

beforeAll(() => buildCli(), 300_000);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

for (const [name, kind] of Object.entries(kinds)) {
  describe.skipIf(missing !== undefined)(
    `a service ${name}${missing === undefined ? "" : ` (left out: ${missing})`}`,
    () => {
      let service: MadeUpService;
      const provider = () => createMadeUpProvider(service, directory);

      describeSandbox(
        "made-up",
        async () => {
          service = await MadeUpService.start(kind);
          return {
            provider: provider(),
            another: provider,
            async attachElsewhere(id) {
              // A service that is in this process is nowhere else.
              const found = await provider().attach(id);
              const { url, headers, fetch: there = fetch } = await found!.endpoint();
              const health = await (await there(new URL("/v1/health", url), { headers })).json();
              return { state: (await found!.status()).state, health };
            },
            async killDaemon({ id }) {
              const processes = service.boxes.get(id)?.processes() ?? [];
              const daemon = processes.find(({ command }) => /^\S*node\S* \S*sandbox-agent\.cjs/.test(command));
              process.kill(daemon!.pid, "SIGKILL");
            },
            leftovers: async (id) => service.boxes.get(id)?.leftovers() ?? [],
            destroy: () => service.close(),
          };
        },
        { bundle, timeout },
      );

      describeHostedProvider("made-up", {
        can: { ...kind, snapshot: false, network: false, isolation: true },
        bundle,
        timeout,
        live: [],
        leftOut: {
          crashes: "a program of its own cannot use a service that is in this one",
          ...(kind.suspend === "memory" ? {} : Object.fromEntries(alike.map((feature) => [feature, seenAlready]))),
        },
        async start() {
          service = await MadeUpService.start(kind);
          return { settings: {}, service };
        },
        open: async () => provider(),
      });
    },
  );
}
