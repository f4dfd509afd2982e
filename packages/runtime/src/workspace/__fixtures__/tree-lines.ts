import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";

/** Everything below a directory, a line each: name, kind, permissions, time of a file, hash of what is in it. */
export function treeLines(top: string): string[] {
  const lines: string[] = [];
  const visit = (directory: Buffer, path: Buffer) => {
    for (const name of readdirSync(directory, { encoding: "buffer" }).sort(Buffer.compare)) {
      const [real, shown] = [joined(directory, name), path.length === 0 ? name : joined(path, name)];
      lines.push(`${JSON.stringify(shown.toString("latin1"))} ${described(real)}`);
      if (lstatSync(real).isDirectory()) visit(real, shown);
    }
  };
  visit(Buffer.from(top), Buffer.alloc(0));
  return lines;
}

function described(path: Buffer): string {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return `link ${readlinkSync(path, { encoding: "buffer" }).toString("hex")}`;
  const mode = (stats.mode & 0o7777).toString(8);
  if (!stats.isFile()) return `${stats.isDirectory() ? "directory" : "special"} ${mode}`;
  const hash = createHash("sha256").update(readFileSync(path)).digest("hex");
  return `file ${mode} ${Math.floor(stats.mtimeMs / 1000)} ${stats.size} ${hash}`;
}

function joined(directory: Buffer, name: Buffer): Buffer {
  return Buffer.concat([directory, Buffer.from("/"), name]);
}
