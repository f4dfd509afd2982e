import { posix } from "node:path";
import type { AgentProgram, NodeDependency, NodeSource, NpmSource } from "./agent-program.ts";
import { installFailure } from "./install-failure.ts";
import type { InstallRecord } from "./installed-programs.ts";
import { forThisMachine } from "./machine-build.ts";
import { currentPlatform } from "./platform.ts";
import type { ArchiveFormat } from "./sources/vendor-releases.ts";

/** One package of a program: which, and in which folder of the installation. */
export interface ProgramPart {
  readonly name: string;
  readonly version: string;
  /** Empty for the installation's own folder. */
  readonly folder: string;
  /** How it is packed; default: as npm does. */
  readonly format?: ArchiveFormat;
}

/** What an installation of a program consists of. */
export interface ProgramParts {
  /** The first is the program's own package. */
  readonly parts: readonly [ProgramPart, ...ProgramPart[]];
  /** The file that is started, inside the installation. */
  readonly binary: string;
  /** For a program that Node runs: the file the launcher hands to Node, beside which `binary` is written. */
  readonly nodeEntry?: string;
  /** The Node that is installed with it, where ours is too old. */
  readonly node?: string;
}

/** What has to be fetched from npm's registry for a version of the program, on this machine. */
export function programParts(program: AgentProgram, version: string): ProgramParts {
  const { source } = program;
  return source.kind === "npm" ? readyToRun(program, source, version) : runByNode(program, source, version);
}

function readyToRun({ name }: AgentProgram, { packages }: NpmSource, version: string): ProgramParts {
  const found = forThisMachine(packages);
  if (!found) throw notForHere(name, Object.keys(packages));
  const part = { name: found.name, version: found.version?.replace("{version}", version) ?? version, folder: "" };
  return { parts: [part], binary: found.binary };
}

function runByNode(program: AgentProgram, source: NodeSource, version: string): ProgramParts {
  if (process.platform === "win32") throw notForHere(program.name, ["linux", "darwin"]);
  const { package: name, entry, dependencies = [] } = source;
  if (dependencies.length > 0 && version !== program.version) {
    const sentence = `${program.name} can only be installed as ${program.version}, with what that version needs.`;
    throw installFailure(sentence, { step: "resolve" });
  }
  const folder = moduleFolder(name);
  const node = newerNode(program.name, source);
  return {
    parts: [{ name, version, folder }, ...neededHere(source), ...(node ? [node] : [])],
    binary: program.name,
    nodeEntry: posix.join(folder, entry),
    ...(node ? { node: posix.join(node.folder, "bin/node") } : {}),
  };
}

export const nameOfPart = ({ name, version }: Pick<ProgramPart, "name" | "version">) => `${name}@${version}`;

/** Has this installation all that the program is described with now? An older description may have named less. */
export function isComplete({ source, version }: AgentProgram, installed: InstallRecord): boolean {
  if (source.kind === "npm" || installed.version !== version) return true;
  const there = installed.dependencies ?? [];
  const node = isNewEnough(source) ? undefined : source.node;
  const nodes = node ? Object.values(node.packages).map((name) => nameOfPart({ name, version: node.version })) : [];
  return (
    neededHere(source).every((part) => there.includes(nameOfPart(part))) &&
    (nodes.length === 0 || nodes.some((each) => there.includes(each)))
  );
}

function neededHere({ dependencies = [] }: NodeSource): ProgramPart[] {
  const here = dependencies.filter(({ platforms }) => platforms?.includes(currentPlatform()) ?? true);
  return here.map((each) => ({ name: each.name, version: each.version, folder: folderOf(each) }));
}

const majorOf = (version: string): number => Number.parseInt(version, 10);

/** Whether this process's Node can run it. */
function isNewEnough({ node }: NodeSource): boolean {
  return node === undefined || majorOf(process.versions.node) >= majorOf(node.version);
}

function newerNode(program: string, source: NodeSource): ProgramPart | undefined {
  const { node } = source;
  if (node === undefined || isNewEnough(source)) return undefined;
  const name = node.packages[currentPlatform()];
  if (name !== undefined) return { name, version: node.version, folder: "node" };
  const sentence = `${program} needs Node ${majorOf(node.version)} or newer, this is ${process.versions.node}, and for ${currentPlatform()} there is none to be installed. Run Sandbox Agent on a newer Node.`;
  throw installFailure(sentence, { step: "resolve" });
}

const moduleFolder = (name: string) => posix.join("node_modules", name);
const folderOf = ({ name, within }: NodeDependency) =>
  within === undefined ? moduleFolder(name) : posix.join(moduleFolder(within), moduleFolder(name));

export function notForHere(name: string, known: readonly string[]): Error {
  const sentence = `There is no ${name} for ${currentPlatform()}, only for ${known.join(", ")}.`;
  return installFailure(sentence, { step: "resolve" });
}
