export * from "./agent.ts";
export {
  agentsWithCredentials,
  type FoundCredential,
  findCredentials,
  signInOf,
} from "./credentials/find-credentials.ts";
export { sharedKeys } from "./credentials/shared-keys.ts";
export { hunksBetween } from "./diff/unified-diff.ts";
export { readRegularText } from "./files/read-regular-file.ts";
export { removeSessionFolders } from "./files/session-folders.ts";
export * from "./install/agent-program.ts";
export { cacheDirectory } from "./install/cache-directory.ts";
export { listInstalled } from "./install/installed-programs.ts";
export { locateProgram, probeProgram, requireProgram } from "./install/locate-program.ts";
export { loginCommand, signedInProgram, signInAdvice } from "./install/sign-in-advice.ts";
export { statusNotice } from "./notices/status-notice.ts";
export * from "./process/agent-process.ts";
export type { ReapedProcess } from "./process/orphans.ts";
export { createSupervisor, type Supervisor, type SupervisorOptions } from "./process/supervisor.ts";
export { expandCommand } from "./profile/expand-command.ts";
export { type PreparedProfile, prepareProfile } from "./profile/prepare-profile.ts";
export { type PlacedFiles, removeProfileFiles } from "./profile/profile-files.ts";
export { profileLosses } from "./profile/profile-losses.ts";
export { profileSupport } from "./profile/profile-support.ts";
export * from "./registry.ts";
