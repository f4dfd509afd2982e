import { homedir } from "node:os";
import { join } from "node:path";
import type { AgentProgram } from "../install/agent-program.ts";
import { cacheDirectory } from "../install/cache-directory.ts";
import { ensureProgram } from "../install/index.ts";
import { testedVersion } from "./tested-version.ts";

/**
 * Why an agent's real program cannot be had here, e.g. because no package registry can be reached; `undefined` when it is
 * there. Tests that need it say this in the title of what they skip.
 */
export async function whyProgramIsMissing(program: AgentProgram): Promise<string | undefined> {
  const place = {
    env: { npm_config_userconfig: join(homedir(), ".npmrc"), ...process.env },
    installRoot: join(cacheDirectory(process.env), "programs"),
  };
  return ensureProgram(program, place, { version: testedVersion(program, process.env) }).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}
