import { fileURLToPath } from "node:url";

/** The directory of this repository. */
export const root = fileURLToPath(new URL("../..", import.meta.url));
