import { readdir } from "node:fs/promises";
import { join } from "node:path";

/** The files that may hold the conversation, of whatever project; their names have only the beginning of its id. */
export async function chatFiles(directory: string, sessionId: string): Promise<string[]> {
  const ending = `-${sessionId.slice(0, 8)}.jsonl`;
  const projects = await list(join(directory, "tmp"));
  const files = projects.map(async (project) => {
    const chats = join(directory, "tmp", project, "chats");
    const names = await list(chats);
    return names
      .filter((name) => name.startsWith("session-") && name.endsWith(ending))
      .map((name) => join(chats, name));
  });
  return (await Promise.all(files)).flat();
}

/** A folder that is not there is empty. */
export async function list(directory: string): Promise<string[]> {
  return readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return [];
    throw error;
  });
}
