import { homedir } from "node:os";
import { join } from "node:path";
import { cacheDirectory } from "../../../install/cache-directory.ts";
import { ensureProgram } from "../../../install/index.ts";
import { program } from "../program.ts";

/** Why the real program cannot be had here, e.g. because no package registry can be reached; `undefined`: it is there. */
export const programProblem: string | undefined = await ensureProgram(
  program,
  {
    env: { npm_config_userconfig: join(homedir(), ".npmrc"), ...process.env },
    installRoot: join(cacheDirectory(process.env), "programs"),
  },
  { version: program.version },
).then(
  () => undefined,
  (error: unknown) => (error instanceof Error ? error.message : String(error)),
);

/** For the title of what then cannot be tested. */
export const whySkipped = programProblem === undefined ? "" : ` (skipped: ${programProblem})`;
