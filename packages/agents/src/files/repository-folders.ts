import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** From the directory upwards to the root of its repository; without one, the directory alone. */
export async function repositoryFolders(directory: string): Promise<string[]> {
  const above = ancestors(directory);
  const roots = await Promise.all(above.map((folder) => exists(join(folder, ".git"))));
  return above.slice(0, Math.max(0, roots.indexOf(true)) + 1);
}

export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function ancestors(directory: string): string[] {
  const above = dirname(directory);
  return above === directory ? [directory] : [directory, ...ancestors(above)];
}
