import type { Command } from "commander";
import { examplesHelp } from "../commands/examples-help.ts";
import type { Finish } from "../commands/finish.ts";
import { exitCode } from "../exit-code.ts";
import { Output } from "../output/output.ts";
import { relativeTime } from "../output/relative-time.ts";
import { UsageError } from "../usage-error.ts";
import type { RuntimeFlags } from "./runtime-settings.ts";

interface KeyFlags extends RuntimeFlags {
  readonly name: string;
  readonly principal?: string;
  readonly scope?: string;
  readonly requestsPerMinute?: string;
  readonly json?: true;
}

interface AuditFlags extends RuntimeFlags {
  readonly by?: string;
  readonly session?: string;
  readonly limit?: string;
  readonly json?: true;
}

const scopes = ["read", "write", "admin"] as const;

/** `sandbox-agent runtime …`: sessions of many users in many sandboxes. */
export function addRuntimeCommands(program: Command, finish: Finish): void {
  const runtime = program
    .command("runtime")
    .description("Run agents for many users, each session in a sandbox of its own, behind one API")
    .option("-H, --host <address>", "address to listen on (default: 127.0.0.1)")
    .option("-p, --port <port>", "port to listen on; 0 takes a free one (default: 2470)")
    .option("--config <file>", "settings as JSON; flags and the environment win over it")
    .option("--provider <name>", "who makes the sandboxes (default: local)")
    .option("--isolation <kind>", "of local sandboxes: auto, bubblewrap or none (default: auto)")
    .option("--docker-host <address>", "where the Docker engine listens (default: DOCKER_HOST or its usual socket)")
    .option("--docker-image <name>", "what containers are made of (default: sandbox-agent)")
    .option("--docker-programs <from>", "where containers have the daemon and agents from: mount, volume or image")
    .option("--docker-network <name>", "bridge, internal (no way out) or a network of yours (default: bridge)")
    .option("--docker-memory <MiB>", "memory of a container (default: 4096)")
    .option("--docker-cpus <count>", "processors of a container (default: all)")
    .option("--pool-size <count>", "sandboxes that wait for a session (default: 0)")
    .option("--profiles-dir <directory>", "a profile in each of its folders, see docs/profiles.mdx")
    .option("--log-level <level>", "silent, error, warn, info or debug (default: info)")
    .addHelpText(
      "after",
      examplesHelp(["runtime", "runtime --provider docker", "runtime --port 8080 --data-dir /var/lib/sandbox-agent"]),
    );
  runtime.action(async () => {
    const { runRuntime } = await import("./run-runtime.ts");
    finish(await runRuntime(runtime.optsWithGlobals<RuntimeFlags>()));
  });
  addKeys(runtime, finish);
  addAudit(runtime, finish);
  addDoctor(runtime, finish);
}

function addKeys(runtime: Command, finish: Finish): void {
  const keys = runtime.command("keys").description("The API keys with which clients come in");
  const create = keys
    .command("create")
    .description("Make a key and print it, this once")
    .requiredOption("--name <name>", "what it is for")
    .option("--principal <principal>", "whose sessions it reaches (default: the name)")
    .option("--scope <scope>", "read, write or admin, which reaches all sessions (default: write)")
    .option("--requests-per-minute <count>", "requests beyond it are refused (default: no limit)")
    .addHelpText(
      "after",
      examplesHelp(["runtime keys create --name ci", "runtime keys create --name ops --scope admin --json"]),
    );
  create.action(async () => {
    const { name, principal, scope, requestsPerMinute, json, ...flags } = create.optsWithGlobals<KeyFlags>();
    const limit = requestsPerMinute === undefined ? undefined : Number(requestsPerMinute);
    if (limit !== undefined && !(Number.isInteger(limit) && limit > 0)) {
      throw new UsageError(`--requests-per-minute is a number from 1 on, not "${requestsPerMinute}".`);
    }
    const wanted = scopes.find((known) => known === (scope ?? "write"));
    if (!wanted) throw new UsageError(`--scope is one of ${scopes.join(", ")}, not "${scope}".`);
    const { withKeys } = await import("./runtime-keys.ts");
    const made = await withKeys(flags, (all) =>
      all.create({ name, principal, scope: wanted, requestsPerMinute: limit }),
    );
    const out = new Output(process.stdout, { json });
    await out.answer(made, `${made.key}\nKey ${made.id} of ${made.principal} (${made.scope}). It is not shown again.`);
    finish(exitCode.ok);
  });
  const list = keys.command("list").description("All keys, without what they are");
  list.action(async () => {
    const { json, ...flags } = list.optsWithGlobals<RuntimeFlags & { json?: true }>();
    const { withKeys } = await import("./runtime-keys.ts");
    const found = (await withKeys(flags, (all) => all.list())).map(({ hash: _, ...key }) => key);
    const out = new Output(process.stdout, { json });
    const rows = found.map(({ keyId, name, principal, scope, createdAt }) => [
      keyId,
      name,
      principal,
      scope,
      out.isForPeople ? relativeTime(createdAt) : new Date(createdAt).toISOString(),
    ]);
    const nothing = "There are no keys. The first start of `sandbox-agent runtime` makes one.";
    await out.list({ keys: found }, ["ID", "NAME", "PRINCIPAL", "SCOPE", "CREATED"], rows, nothing);
    finish(exitCode.ok);
  });
  const revoke = keys.command("revoke <id>").description("Let a key in no longer");
  revoke.action(async (id: string) => {
    const { withKeys } = await import("./runtime-keys.ts");
    await withKeys(revoke.optsWithGlobals<RuntimeFlags>(), (all) => all.revoke(id));
    await new Output(process.stdout).done(`Key ${id} is revoked.`);
    finish(exitCode.ok);
  });
  addRotateSecret(keys, finish);
}

function addRotateSecret(keys: Command, finish: Finish): void {
  const rotate = keys
    .command("rotate-secret")
    .description("Seal the secrets in the store with another key; the runtime must not run. Session tokens end");
  rotate.action(async () => {
    const { json, ...flags } = rotate.optsWithGlobals<RuntimeFlags & { json?: true }>();
    const { rotateSecret } = await import("./secret-keys.ts");
    const count = await rotateSecret(flags, process.env);
    await new Output(process.stdout, { json }).answer({ count }, `${count} secrets are sealed with the new key.`);
    finish(exitCode.ok);
  });
}

function addAudit(runtime: Command, finish: Finish): void {
  const audit = runtime
    .command("audit")
    .description("Who did what, newest first")
    .option("--by <principal>", "only what this principal did")
    .option("--session <id>", "only what was done with this session")
    .option("--limit <count>", "at most so many (default: 100)")
    .addHelpText("after", examplesHelp(["runtime audit --by ann", "runtime audit --session task-1 --json"]));
  audit.action(async () => {
    const { json, by, session, limit = "100", ...flags } = audit.optsWithGlobals<AuditFlags>();
    const count = Number(limit);
    if (!Number.isInteger(count) || count < 1) throw new UsageError(`--limit is a number from 1 on, not "${limit}".`);
    const { withStore } = await import("./runtime-keys.ts");
    const wanted = { principal: by, sessionId: session, limit: count };
    const entries = await withStore(flags, (store) => store.audit(wanted));
    const out = new Output(process.stdout, { json });
    const rows = entries.map(({ at, principal, keyId = "", operation, sessionId = "", status }) => [
      out.isForPeople ? relativeTime(at) : new Date(at).toISOString(),
      principal,
      keyId,
      operation,
      sessionId,
      `${status}`,
    ]);
    const headings = ["WHEN", "PRINCIPAL", "KEY", "OPERATION", "SESSION", "STATUS"];
    await out.list({ entries }, headings, rows, "Nothing is on record yet.");
    finish(exitCode.ok);
  });
}

function addDoctor(runtime: Command, finish: Finish): void {
  const command = runtime
    .command("doctor")
    .description("Look whether a runtime can work here, and say what to do. Exit code 1 if not");
  command.action(async () => {
    const { json, ...flags } = command.optsWithGlobals<RuntimeFlags & { json?: true }>();
    const { runtimeChecks } = await import("./runtime-checks.ts");
    const checks = await runtimeChecks(flags);
    const out = new Output(process.stdout, { json });
    if (out.audience === "json") await out.json({ checks });
    else {
      for (const { name, ok, detail } of checks) {
        const mark = ok ? out.paint("green", "✓") : out.paint("red", "✗");
        await out.line(`${mark} ${name.padEnd(12)} ${out.wrapped(detail, 15)}`);
      }
    }
    finish(checks.every(({ ok }) => ok) ? exitCode.ok : exitCode.failure);
  });
}
