import { existsSync, statSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Pack, pack } from "tar-stream";
import { packDirectory } from "../sandboxes/pack-directory.ts";

/** What the daemon needs of a bundle's directory; a build leaves other things beside it. */
const bundleParts = ["sandbox-agent.cjs", "parts", "ui", "THIRD-PARTY-NOTICES.txt"];

const partsOf = (bundle: string) => bundleParts.filter((part) => existsSync(join(bundle, part)));

export interface ImageContext {
  /** By their names. */
  readonly files: Readonly<Record<string, string>>;
  /** The directory with `sandbox-agent.cjs`. */
  readonly bundle: string;
}

/** All that a build needs, in a directory, which is made. */
export async function writeImageContext(directory: string, { files, bundle }: ImageContext): Promise<void> {
  await mkdir(join(directory, "sandbox-agent"), { recursive: true });
  for (const name of partsOf(bundle))
    await cp(join(bundle, name), join(directory, "sandbox-agent", name), { recursive: true, force: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
}

/** The same as a tar. */
export function packImageContext({ files, bundle }: ImageContext): Pack {
  const archive = pack();
  const write = async () => {
    for (const [name, text] of Object.entries(files)) archive.entry({ name }, text);
    for (const name of partsOf(bundle)) {
      const [path, below] = [join(bundle, name), join("sandbox-agent", name)];
      if (statSync(path).isDirectory()) await packDirectory(archive, path, { below });
      else archive.entry({ name: below }, await readFile(path));
    }
    archive.finalize();
  };
  write().catch((error: Error) => archive.destroy(error));
  return archive;
}
