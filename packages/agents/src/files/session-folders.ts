import { createHash } from "node:crypto";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";

const NAME_LENGTH = 16;

/** What an agent writes for one session while it is open, in the agent's directory. */
export function sessionFolder(dataDir: string, sessionId: string): string {
  return join(dataDir, "sessions", folderName(sessionId));
}

/** Images of its conversation, which stay when it is closed. */
export function sessionImages(dataDir: string, sessionId: string): string {
  return join(dataDir, "images", folderName(sessionId));
}

/** The skills of its profile, which stay when it is closed. */
export function sessionProfileSkills(dataDir: string, sessionId: string): string {
  return join(dataDir, "profiles", folderName(sessionId), "skills");
}

/** When the session is deleted. */
export async function removeSessionFolders(dataDir: string, sessionId: string): Promise<void> {
  const skills = dirname(sessionProfileSkills(dataDir, sessionId));
  const folders = [sessionFolder(dataDir, sessionId), sessionImages(dataDir, sessionId), skills];
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
}

/** Whatever a session is called, it is a name. */
function folderName(sessionId: string): string {
  return createHash("sha256").update(sessionId).digest("hex").slice(0, NAME_LENGTH);
}
