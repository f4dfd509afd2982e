import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** An absolute path inside the workspace. */
export const inRoot = (...parts) => join(root, ...parts);
