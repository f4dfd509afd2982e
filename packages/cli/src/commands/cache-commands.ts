import { cacheDirectory } from "@sandbox-agent-ts/agents";
import type { CacheEntry } from "@sandbox-agent-ts/agents/install";
import type { Command } from "commander";
import { exitCode } from "../exit-code.ts";
import { byteText, countOf } from "../output/number-text.ts";
import { Output } from "../output/output.ts";
import { agentsWithPrograms, programPlace } from "../programs/agent-programs.ts";
import { examplesHelp } from "./examples-help.ts";
import type { Finish } from "./finish.ts";

interface Flags {
  readonly dataDir?: string;
  readonly json?: true;
}

export function addCacheCommands(program: Command, finish: Finish): void {
  const cache = program
    .command("cache")
    .description("What the programs of agents and their downloads take on the disk");
  const show = cache
    .command("show", { isDefault: true })
    .description("Show what is where, with sizes")
    .addHelpText("after", examplesHelp(["cache", "cache show --json"]));
  show.action(async () => {
    const { dataDir, json } = show.optsWithGlobals<Flags>();
    await showCache(new Output(process.stdout, { json }), dataDir);
    finish(exitCode.ok);
  });
  const prune = cache
    .command("prune")
    .description("Remove downloads that no installed program shares its files with; what is installed stays")
    .option("-a, --all", "everything in the cache; the next installation downloads again")
    .option("-n, --dry-run", "only say what would be removed")
    .addHelpText("after", examplesHelp(["cache prune --dry-run", "cache prune --all"]));
  prune.action(async () => {
    const { all = false, dryRun = false, json } = prune.optsWithGlobals<Flags & { all?: true; dryRun?: true }>();
    await pruneCache(new Output(process.stdout, { json }), { all, dryRun });
    finish(exitCode.ok);
  });
}

async function showCache(out: Output, dataDir: string | undefined): Promise<void> {
  const { bytesOf, listCache, listFiles, listInstalled, versionFolder } = await import(
    "@sandbox-agent-ts/agents/install"
  );
  const { installRoot } = programPlace(dataDir, process.env);
  const names = [...new Set((await agentsWithPrograms("all")).map(({ program }) => program.name))];
  const installed = (
    await Promise.all(names.map(async (name) => ({ name, found: await listInstalled(installRoot, name) })))
  ).flatMap(({ name, found }) => found.map((each) => ({ program: name, ...each })));
  const programs = await Promise.all(
    installed.map(async ({ program, version, path, installedAt }) => {
      const bytes = bytesOf(await listFiles(versionFolder(installRoot, program, version)));
      return { program, version, path, installedAt, bytes };
    }),
  );
  const entries = await listCache(process.env);
  const cache = cacheDirectory(process.env);
  const files = [...(await listFiles(installRoot)), ...(await listFiles(cache))];
  const bytes = bytesOf(files);
  if (out.audience === "json") {
    return out.json({
      programs: { directory: installRoot, installed: programs },
      cache: { directory: cache, entries },
      bytes,
    });
  }
  const size = (count: number) => out.bytes(count);
  await out.line(`Programs in ${installRoot}`);
  await out.list(
    programs,
    ["program", "version", "size", "installed"],
    programs.map((each) => [each.program, each.version, size(each.bytes), out.moment(each.installedAt)]),
    "None are installed.",
  );
  await out.line(`\nCache in ${cache}`);
  await out.list(
    entries,
    ["kind", { title: "name", shrink: "middle" }, "size", "frees if removed"],
    entries.map((each) => [each.kind, each.name, size(each.bytes), size(each.freedBytes)]),
    "It is empty.",
  );
  const shared = [...programs, ...entries].reduce((sum, each) => sum + each.bytes, -bytes);
  const note = shared > 0 ? `; ${byteText(shared)} that both have are there once` : "";
  await out.line(`\nTogether ${byteText(bytes)} on the disk${note}.`);
}

async function pruneCache(out: Output, { all, dryRun }: { all: boolean; dryRun: boolean }): Promise<void> {
  const { bytesOf, freedBy, listCache, listFiles, prunable, removeCacheEntries } = await import(
    "@sandbox-agent-ts/agents/install"
  );
  const entries = await listCache(process.env);
  const chosen = prunable(entries, { all });
  const paths = [...new Set(chosen.flatMap((entry) => entry.paths))];
  const files = (await Promise.all(paths.map(listFiles))).flat();
  const freedBytes = dryRun ? freedBy(files) : await removeCacheEntries(chosen);
  const removed = chosen.map(({ kind, name, bytes }) => ({ kind, name, bytes }));
  if (out.audience === "json") return out.json({ dryRun, removed, freedBytes, keptBytes: bytesOf(files) - freedBytes });
  for (const { kind, name, bytes } of removed) {
    await out.line(`${dryRun ? "would remove" : "removed"} ${kind} ${name} (${byteText(bytes)})`);
  }
  await out.line(summary(entries, chosen, freedBytes, { all, dryRun }));
}

function summary(
  entries: readonly CacheEntry[],
  chosen: readonly CacheEntry[],
  freedBytes: number,
  { all, dryRun }: { all: boolean; dryRun: boolean },
): string {
  const kept = entries.length - chosen.length;
  const inUse = entries.filter(({ isInUse }) => isInUse).length;
  const rest =
    all && inUse > 0
      ? ` What is in use stayed: ${countOf(inUse, "thing")}.`
      : kept > 0
        ? " The rest costs nothing: installed programs have the same files."
        : "";
  return `${byteText(freedBytes)} ${dryRun ? "would be freed" : "freed"}.${rest}`;
}
