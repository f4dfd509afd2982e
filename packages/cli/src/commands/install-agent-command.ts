import type { InstalledArtifact, InstallProgress } from "@sandbox-agent-ts/agents/install";
import type { Command } from "commander";
import { type ConnectionFlags, connectionOf } from "../client/connection.ts";
import { exitCode } from "../exit-code.ts";
import { byteText } from "../output/number-text.ts";
import { Output } from "../output/output.ts";
import { terminalOf } from "../output/terminal.ts";
import { type AgentWithProgram, agentsWithPrograms, agentVersions, programPlace } from "../programs/agent-programs.ts";
import { type InstallProgressView, installProgressView, showingProgress } from "../programs/install-progress-view.ts";
import { problemOf } from "../report-failure.ts";
import { UsageError } from "../usage-error.ts";
import { examplesHelp } from "./examples-help.ts";
import type { Finish } from "./finish.ts";

interface Flags extends ConnectionFlags {
  readonly all?: true;
  readonly reinstall?: boolean;
  readonly json?: true;
  readonly verbose?: true;
}

const examples = [
  "install-agent claude codex@0.130.0",
  "install-agent --all",
  "install-agent codex --reinstall --json",
];

export function addInstallAgentCommand(program: Command, finish: Finish): void {
  const command = program
    .command("install-agent")
    .description("Install agents on this machine, whether a daemon runs or not; with --endpoint on the daemon's")
    .argument("[agent...]", "ids of agents, see `sandbox-agent agents list`; id@version for another version")
    .option("-a, --all", "all agents there are")
    .option("-r, --reinstall", "install again even if it is there")
    .addHelpText("after", examplesHelp(examples));
  command.action(async (ids: string[]) => {
    const flags = command.optsWithGlobals<Flags>();
    if (flags.all ? ids.length > 0 : ids.length === 0) {
      throw new UsageError("Name the agents to install, or pass --all.");
    }
    const out = new Output(process.stdout, { json: flags.json });
    const wanted = flags.all ? "all" : [...new Set(ids)];
    const installs = await (flags.endpoint === undefined
      ? localInstalls(wanted, flags, out)
      : remoteInstalls(wanted, flags, out));
    let failures = 0;
    for (const [id, install] of installs) {
      try {
        await reportInstalled(out, id, await install());
      } catch (error) {
        failures += 1;
        await reportFailed(out, id, error, flags.verbose ?? false);
      }
    }
    finish(failures === 0 ? exitCode.ok : exitCode.failure);
  });
}

/** A program, and what it takes on the disk where that is known. */
type Installed = InstalledArtifact & { readonly sizeBytes?: number };
/** By the id of the agent. */
type Installs = ReadonlyMap<string, () => Promise<readonly Installed[]>>;
type Wanted = readonly string[] | "all";

/** In this process: with the variables of this command, and sharing the install lock with a daemon that runs. */
async function localInstalls(wanted: Wanted, { dataDir, reinstall = false }: Flags, out: Output): Promise<Installs> {
  const place = programPlace(dataDir, process.env);
  const install = async ({ id, program }: AgentWithProgram, version?: string) => {
    const { installProgram } = await import("@sandbox-agent-ts/agents/install");
    const view = viewOf(out, id);
    try {
      const asked = version === undefined ? {} : { version };
      const { artifacts } = await installProgram(program, place, { ...asked, reinstall, onProgress: view.show });
      return await Promise.all(artifacts.map((artifact) => withSize(artifact, place.installRoot)));
    } finally {
      view.end();
    }
  };
  if (wanted === "all")
    return new Map((await agentsWithPrograms("all")).map((agent) => [agent.id, () => install(agent)]));
  const versions = await agentVersions(wanted);
  return new Map(versions.map(({ agent, version, spelled }) => [spelled, () => install(agent, version)]));
}

/** One that it needs may be installed elsewhere: then nothing is said about its size. */
async function withSize(artifact: InstalledArtifact, installRoot: string): Promise<Installed> {
  const { bytesOf, listFiles, versionFolder } = await import("@sandbox-agent-ts/agents/install");
  const sizeBytes = bytesOf(await listFiles(versionFolder(installRoot, artifact.program, artifact.version)));
  return sizeBytes === 0 ? artifact : { ...artifact, sizeBytes };
}

/** It may have other agents than this machine: it is asked. */
async function remoteInstalls(wanted: Wanted, flags: Flags, out: Output): Promise<Installs> {
  const connection = connectionOf(flags, process.env);
  const { withClient } = await import("../client/with-client.ts");
  const origins = { installed: "present", cache: "cache", registry: "download" } as const;
  const versioned = wanted === "all" ? undefined : wanted.find((id) => id.includes("@"));
  if (versioned !== undefined) {
    const detail = `Name ${versioned.split("@")[0]} alone: a daemon installs the version it was tested with`;
    throw new UsageError(`${detail}. A session's agentVersion is another one, installed when it is created.`);
  }
  const { agents } = await withClient(connection, (client) => client.listAgents());
  const known = agents.map(({ id }) => id);
  const unknown = wanted === "all" ? undefined : wanted.find((id) => !known.includes(id));
  if (unknown !== undefined) {
    const there = `The daemon at ${connection.baseUrl} has: ${known.join(", ")}.`;
    throw new UsageError(`There is no agent "${unknown}". ${there}`);
  }
  const install = async (id: string) => {
    process.stderr.write(`The daemon at ${connection.baseUrl} installs ${id} …\n`);
    const request = flags.reinstall ? { reinstall: true } : {};
    const { artifacts } = await showingProgress(
      (onProgress) => withClient(connection, (client) => client.installAgent(id, request, { onProgress })),
      viewOf(out, id),
    );
    return artifacts.map(({ name, version, path, source, downloadedBytes }) => ({
      program: name,
      version: version ?? "",
      path,
      origin: origins[source],
      downloadedBytes,
    }));
  };
  return new Map((wanted === "all" ? known : wanted).map((id) => [id, () => install(id)]));
}

const viewOf = (out: Output, agent: string): InstallProgressView =>
  out.audience === "json" ? jsonView(out, agent) : installProgressView(process.stderr);

const JSON_LINE_EVERY_MS = 200;

/** One line of JSON per step, and while bytes come a few per second. */
function jsonView(out: Output, agent: string): InstallProgressView {
  let step = "";
  let toldAt = 0;
  return {
    show(progress: InstallProgress): void {
      const now = performance.now();
      const key = [progress.program, progress.step, progress.package].join(" ");
      if (key === step && now - toldAt < JSON_LINE_EVERY_MS && progress.bytes !== progress.total) return;
      step = key;
      toldAt = now;
      void out.jsonLine({ type: "progress", agent, ...progress });
    },
    end(): void {},
  };
}

async function reportInstalled(out: Output, agent: string, artifacts: readonly Installed[]): Promise<void> {
  const alreadyInstalled = artifacts.every(({ origin }) => origin === "present");
  if (out.audience === "json") return out.jsonLine({ type: "installed", agent, alreadyInstalled, artifacts });
  if (artifacts.length === 0) await out.line(`${agent} needs no program of its own.`);
  for (const artifact of artifacts) await out.line(sentenceOf(artifact));
}

function sentenceOf({ program, version, path, origin, downloadedBytes, sizeBytes }: Installed): string {
  const state = origin === "present" ? "was installed already" : "is installed";
  const source = { present: "", cache: "from the cache", download: `downloaded ${byteText(downloadedBytes)}` }[origin];
  const facts = [sizeBytes === undefined ? "" : byteText(sizeBytes), source].filter(Boolean).join(", ");
  return `${program} ${version} ${state}: ${path}${facts && ` (${facts})`}`;
}

async function reportFailed(out: Output, agent: string, error: unknown, verbose: boolean): Promise<void> {
  const problem = problemOf(error);
  if (out.audience === "json") return out.jsonLine({ type: "failed", agent, problem });
  const { paint } = terminalOf(process.stderr);
  process.stderr.write(`${paint("red", "Error:")} ${agent} could not be installed. ${problem.detail}\n`);
  if (verbose) process.stderr.write(`${JSON.stringify({ details: problem.details }, null, 2)}\n`);
}
