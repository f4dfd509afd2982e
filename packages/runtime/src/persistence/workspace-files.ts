import { posix } from "node:path";
import type { AgentSandbox } from "../sandboxes/agent-sandbox.ts";
import type { WorkspaceFile } from "./persistence-adapter.ts";

const maxEntries = 5_000;
const maxFileBytes = 1024 * 1024;
/** What can be made again, or is large and nobody's text. */
const leftOut = new Set([".git", "node_modules", ".venv", "__pycache__"]);

/** A file by what changes with it. */
export interface SeenFile {
  readonly path: string;
  readonly version: string;
}

/** The files of a sandbox's workspace, up to a number and a size; whether those are all. Rejects where it cannot be read. */
export async function listWorkspace(sandbox: AgentSandbox): Promise<{ files: readonly SeenFile[]; isWhole: boolean }> {
  const { workspace } = sandbox.paths;
  const files: SeenFile[] = [];
  const waiting = [workspace];
  let looks = 0;
  for (let directory = waiting.shift(); directory !== undefined; directory = waiting.shift()) {
    for (const { name, entryType, size, modified } of await sandbox.client.listFsEntries({ path: directory })) {
      looks += 1;
      if (looks > maxEntries) return { files, isWhole: false };
      // What a sandbox says is not trusted: a name is no path.
      if (leftOut.has(name) || name.includes("/") || name === ".." || name === ".") continue;
      const path = posix.join(directory, name);
      if (entryType === "directory") waiting.push(path);
      if (entryType !== "file" || size > maxFileBytes) continue;
      files.push({ path: posix.relative(workspace, path), version: `${size} ${modified}` });
    }
  }
  return { files, isWhole: true };
}

/** Undefined for what is not text, or longer than it was said to be. */
export async function readWorkspaceFile(sandbox: AgentSandbox, path: string): Promise<WorkspaceFile | undefined> {
  const place = new URLSearchParams({ path: posix.join(sandbox.paths.workspace, path) });
  const response = await sandbox.fetch(`/v1/fs/file?${place}`, { method: "GET" });
  if (!response.ok || !response.body) throw new Error(`The file ${path} cannot be read (${response.status}).`);
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = response.body.getReader();
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    length += step.value.length;
    if (length > maxFileBytes) {
      await reader.cancel().catch(() => {});
      return undefined;
    }
    parts.push(step.value);
  }
  try {
    return { path, content: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(parts)) };
  } catch {
    return undefined;
  }
}

/** Put files into the workspace of a new sandbox; answers those whose path would leave it, which are not written. */
export async function writeWorkspace(
  sandbox: AgentSandbox,
  files: readonly WorkspaceFile[],
): Promise<readonly string[]> {
  const { workspace } = sandbox.paths;
  const isInside = ({ path }: WorkspaceFile) =>
    path !== "" && !posix.isAbsolute(path) && !path.split("/").includes("..") && !path.includes("\0");
  const inside = files.filter(isInside);
  await sandbox.write(
    inside.map(({ path, content }) => ({ path: posix.join(workspace, path), data: new TextEncoder().encode(content) })),
  );
  return files.filter((file) => !isInside(file)).map(({ path }) => path);
}
