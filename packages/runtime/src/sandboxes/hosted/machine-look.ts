import { quoted } from "../shell-text.ts";
import { type HostedLayout, imageBundle, imagePrograms } from "./hosted-layout.ts";
import type { HostedMachine } from "./hosted-machine.ts";

/** Of the daemon, as its `package.json` says. */
const leastNode = [20, 19] as const;

/** What a machine has of what a daemon needs. */
export interface MachineLook {
  readonly hasNode: boolean;
  /** As `process.arch` says it; of others as `uname` does. */
  readonly arch: string;
  readonly libc: "glibc" | "musl";
  /** Where an image has them. */
  readonly hasBundle: boolean;
  readonly hasPrograms: boolean;
  /** Programs that unpack what is brought in. */
  readonly canUnpack: boolean;
}

/** Programs of a machine, also where a service starts commands with few directories to look in. */
const searchPath = "$PATH:/usr/local/bin:/usr/bin:/bin";

const look = `PATH="${searchPath}"
echo "node=$(node --version 2>/dev/null)"
echo "arch=$(uname -m)"
for file in /lib/ld-musl-*; do [ ! -e "$file" ] || echo libc=musl; done
[ ! -e ${imageBundle}/sandbox-agent.cjs ] || echo bundle=yes
[ ! -d ${imagePrograms} ] || echo programs=yes
command -v tar >/dev/null && command -v gzip >/dev/null && echo unpack=yes
exit 0`;

/** One command says it all. */
export async function lookAt(machine: HostedMachine): Promise<MachineLook> {
  const { stdout } = await machine.run(["sh", "-c", look]);
  const found = new Map(stdout.split("\n").map((line) => line.trim().split("=", 2) as [string, string]));
  return {
    hasNode: isNewEnough(found.get("node") ?? ""),
    arch: architectures[found.get("arch") ?? ""] ?? found.get("arch") ?? "unknown",
    libc: found.has("libc") ? "musl" : "glibc",
    hasBundle: found.has("bundle"),
    hasPrograms: found.has("programs"),
    canUnpack: found.has("unpack"),
  };
}

const architectures: Readonly<Record<string, string>> = {
  x86_64: "x64",
  amd64: "x64",
  aarch64: "arm64",
  arm64: "arm64",
};

function isNewEnough(version: string): boolean {
  const [, major, minor] = (/^v(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  if (major === undefined || minor === undefined) return false;
  return major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1]);
}

/** Lines of a script after which `node` is the machine's, or the one that was brought in. */
export const findNode = ({ node }: Pick<HostedLayout, "node">): string => `export PATH=${quoted(node)}":${searchPath}"`;
