// Feared: a new release of an agent that nobody notices. A made-up one of a real program renames a field, says something of
// a new kind and has lost a feature; the radar must find all three, in the registry it is told.
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { NpmRegistry } from "@sandbox-agent-ts/testing";
import { expect, onTestFinished, test } from "vitest";
import { program } from "../../packages/agents/src/agents/codex/program.ts";
import { whyProgramIsMissing } from "../../packages/agents/src/contract/why-program-is-missing.ts";
import { cacheDirectory } from "../../packages/agents/src/install/cache-directory.ts";
import { ensureProgram } from "../../packages/agents/src/install/index.ts";
import { currentPlatform } from "../../packages/agents/src/install/platform.ts";
import { inRoot } from "../root.mjs";

const run = promisify(execFile);
const patience = { timeout: 600_000 };
const problem = await whyProgramIsMissing(program);
const reason = problem === undefined ? "" : ` (skipped: ${problem})`;

/** Runs the real program, and changes what it prints and how it describes itself. */
const madeUp = (real: string) => `#!/usr/bin/env node
const { execFileSync, spawn } = require("node:child_process");
const { readFileSync, writeFileSync } = require("node:fs");
const { createInterface } = require("node:readline");
const args = process.argv.slice(2);
const renamed = (text) => text.replaceAll('"aggregatedOutput"', '"combinedOutput"');
if (args[0] === "--version") console.log("codex-cli 99.0.0");
else if (args.includes("generate-json-schema")) describe(args.at(-1));
else {
  const child = spawn(${JSON.stringify(real)}, args, { stdio: ["inherit", "pipe", "inherit"] });
  for (const signal of ["SIGTERM", "SIGINT"]) process.on(signal, () => child.kill(signal));
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line.includes('"method":"turn/plan/updated"')) return;
    console.log(renamed(line));
    if (line.includes('"method":"turn/started"')) console.log('{"method":"thread/hologram","params":{"glow":1}}');
  });
  child.on("exit", (code) => process.exit(code ?? 1));
}
function describe(out) {
  execFileSync(${JSON.stringify(real)}, args, { stdio: "ignore" });
  const file = out + "/ServerNotification.json";
  const schema = JSON.parse(renamed(readFileSync(file, "utf8")));
  const properties = { method: { enum: ["thread/hologram"] }, params: { properties: { glow: { type: "number" } } } };
  schema.oneOf.push({ type: "object", required: ["method"], properties });
  writeFileSync(file, JSON.stringify(schema));
}
`;

interface Row {
  readonly version: string;
  readonly schema: { readonly changes: readonly object[] };
  readonly recordings: { readonly unknownFields: readonly { what: string }[] };
  readonly suite: {
    readonly passed: number;
    readonly broke: readonly { test: string }[];
    readonly unknownKinds: readonly object[];
    readonly unknownFields: readonly { what: string }[];
  };
}

test.skipIf(problem !== undefined)(`a made-up release is seen through${reason}`, { ...patience }, async () => {
  const directory = await mkdtemp(join(tmpdir(), "sandbox-agent-radar-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }));
  const registry = await NpmRegistry.start();
  onTestFinished(() => registry.close());
  const env = { npm_config_userconfig: join(homedir(), ".npmrc"), ...process.env };
  const real = await ensureProgram(program, { env, installRoot: join(cacheDirectory(env), "programs") });
  if (program.source.kind !== "npm") throw new Error("The program is expected to be ready to run.");
  const { name, version = "{version}", binary } = program.source.packages[currentPlatform()]!;
  const files = { [binary]: madeUp(real.path), "package.json": JSON.stringify({ name, version: "99.0.0" }) };
  await registry.publish({ name, version: version.replace("{version}", "99.0.0"), files });

  const json = join(directory, "report.json");
  const only = ["--only", "answers with text|runs a command and shows its output|tells its status"];
  const radar = run(process.execPath, [inRoot("scripts/radar.mjs"), "--agent", "codex", ...only, "--json", json], {
    ...patience,
    env: { ...env, SANDBOX_AGENT_NPM_REGISTRY: registry.url, SANDBOX_AGENT_CACHE_DIR: join(directory, "cache") },
  });
  const { code, stdout } = await radar.then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => error,
  );

  const [row] = JSON.parse(await readFile(json, "utf8")) as [Row];
  expect(row.version).toBe("99.0.0");
  expect(row.schema.changes).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ what: "removed", field: expect.stringMatching(/aggregatedOutput$/), alarm: true }),
      expect.objectContaining({ what: "added", field: expect.stringMatching(/combinedOutput$/), alarm: false }),
      expect.objectContaining({ what: "added", kind: "thread/hologram" }),
    ]),
  );
  expect(row.recordings.unknownFields.map(({ what }) => what)).toContain("item/completed: item.aggregatedOutput");
  expect(row.suite.passed).toBe(1);
  expect(row.suite.broke.map(({ test }) => test).sort()).toEqual([
    "runs a command and shows its output",
    "tells its status, e.g. what it has still to do",
  ]);
  expect(row.suite.unknownKinds).toEqual([expect.objectContaining({ what: "thread/hologram" })]);
  expect(row.suite.unknownFields.map(({ what }) => what)).toContain("item/completed: item.combinedOutput");
  expect(stdout).toContain("BROKE tells its status");
  expect(code).toBe(1);
});

test("a registry that cannot be reached is no silence", { ...patience }, async () => {
  const directory = await mkdtemp(join(tmpdir(), "sandbox-agent-radar-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true, maxRetries: 3 }));
  const closed = await NpmRegistry.start();
  await closed.close();
  const radar = run(process.execPath, [inRoot("scripts/radar.mjs"), "--agent", "goose"], {
    ...patience,
    env: { ...process.env, SANDBOX_AGENT_NPM_REGISTRY: closed.url, SANDBOX_AGENT_CACHE_DIR: directory },
  });
  await expect(radar).rejects.toMatchObject({
    code: 2,
    stdout: expect.stringContaining("versions could not be looked"),
  });
});
