import { statSync } from "node:fs";
import { SandboxProviderError, type SandboxSpec } from "../sandbox-provider.ts";
import { exports, quoted } from "../shell-text.ts";
import { daemonScript, daemonScriptFile, environmentFile } from "./daemon-script.ts";
import { type HostedLayout, imageBundle, imagePrograms } from "./hosted-layout.ts";
import type { HostedMachine } from "./hosted-machine.ts";
import type { HostedPrograms } from "./hosted-settings.ts";
import { findNode, lookAt, type MachineLook } from "./machine-look.ts";
import { type UploadPart, uploadArchive } from "./upload-archive.ts";

const unpackTimeoutMs = 10 * 60_000;

export interface BringInOptions {
  readonly spec: SandboxSpec;
  readonly layout: HostedLayout;
  readonly programs: HostedPrograms;
  /** For what is packed before it is uploaded. */
  readonly directory: string;
  readonly signal?: AbortSignal | undefined;
}

/** Everything that a daemon needs is in the machine then, by one upload; nothing is downloaded inside. */
export async function bringIn(machine: HostedMachine, options: BringInOptions): Promise<void> {
  const { spec, layout, signal } = options;
  const found = await lookAt(machine);
  signal?.throwIfAborted();
  const parts = missingParts(found, options);
  if (parts.length > 0 && !found.canUnpack) throw impossible("The machine has no tar and gzip to unpack it with.");
  const archive = parts.length === 0 ? undefined : await uploadArchive(parts, options.directory);
  signal?.throwIfAborted();
  await machine.write([
    { path: daemonScriptFile(layout), data: Buffer.from(daemonScript), mode: 0o600 },
    { path: environmentFile(layout), data: Buffer.from(exports(spec.env ?? {}).join("\n")), mode: 0o600 },
    ...(archive ? [{ path: archiveFile(layout), data: archive, mode: 0o600 }] : []),
  ]);
  signal?.throwIfAborted();
  const script = setUpScript(layout, parts);
  const { code, stderr } = await machine.run(["sh", "-c", script], { timeoutMs: unpackTimeoutMs });
  if (code !== 0) throw impossible(`${stderr.trim() || `exit code ${code}`}.`);
}

const archiveFile = ({ run }: HostedLayout) => `${run}/upload.tar.gz`;

/** Images that were made for it have all of it. */
function missingParts(found: MachineLook, { spec, programs }: BringInOptions): readonly UploadPart[] {
  const isOfImage = programs === "image";
  const parts: UploadPart[] = [];
  if (!isOfImage || !found.hasBundle) parts.push({ name: "bundle", from: spec.bundle, without: ["ui"] });
  if (!isOfImage && spec.programs !== undefined && statSync(spec.programs, { throwIfNoEntry: false }))
    parts.push({ name: "programs", from: spec.programs });
  if (!found.hasNode) parts.push({ name: "node/node", from: ownNode(found) });
  return parts;
}

/** The program that runs this one, where it runs there, too. */
function ownNode({ arch, libc }: MachineLook): string {
  const own = { platform: process.platform, arch: process.arch as string, libc: ownLibc() };
  if (own.platform === "linux" && own.arch === arch && own.libc === libc) return process.execPath;
  const [here, there] = [`${own.platform} ${own.arch} ${own.libc}`, `linux ${arch} ${libc}`];
  throw impossible(
    `It has no Node 20.19 or newer, and that of this machine (${here}) does not run there (${there}). Use an image with Node, e.g. node:22-slim.`,
  );
}

function ownLibc(): MachineLook["libc"] {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined ? "musl" : "glibc";
}

function setUpScript(layout: HostedLayout, parts: readonly UploadPart[]): string {
  const { root, run, paths, node } = layout;
  const has = (name: string) => parts.some((part) => part.name === name);
  const linked = (name: "bundle" | "programs", place: string) =>
    has(name) ? `chmod -R a-w ${quoted(paths[name])}` : `ln -sfn ${place} ${quoted(paths[name])}`;
  const archive = quoted(archiveFile(layout));
  return [
    "set -e",
    "umask 077",
    `cd ${quoted(root)}`,
    `mkdir -p ${[paths.workspace, paths.home, paths.data, run].map(quoted).join(" ")}`,
    `chmod 700 . ${[paths.workspace, paths.home, paths.data, run].map(quoted).join(" ")}`,
    ...(parts.length > 0 ? [`tar -xzf ${archive}`, `rm -f ${archive}`] : []),
    linked("bundle", imageBundle),
    linked("programs", imagePrograms),
    // Where the daemon looks for them.
    `ln -sfn ${quoted(paths.programs)} ${quoted(`${paths.data}/programs`)}`,
    findNode(layout),
    ...(has("node/node") ? [`${quoted(`${node}/node`)} --version >/dev/null`] : []),
  ].join("\n");
}

const impossible = (why: string) =>
  new SandboxProviderError("failed", `The daemon cannot be brought into the machine. ${why}`);
