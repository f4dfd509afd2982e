import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { appendTexts, sampleRecord, sampleTurn } from "../../contract/sample-log.ts";
import type { StoredSession } from "../../event-store.ts";
import { FilesStore } from "../files-store.ts";
import { quickDirectory } from "./temporary-directory.ts";

export type JournalName = "events.jsonl" | "raw.jsonl" | "turns.jsonl";

/** A data directory with session "s" in it, closed, for tests that damage it before it is opened again. */
export class SessionFolder {
  readonly directory: string;

  constructor(directory: string) {
    this.directory = directory;
  }

  path(name: string): string {
    return join(this.directory, "sessions", "s", name);
  }

  read(name: string): Buffer {
    return readFileSync(this.path(name));
  }

  write(name: string, content: Buffer | string): void {
    writeFileSync(this.path(name), content);
  }

  copy(): SessionFolder {
    const directory = quickDirectory();
    cpSync(this.directory, directory, { recursive: true });
    return new SessionFolder(directory);
  }

  open(): Promise<Opened> {
    return openStore(this.directory);
  }
}

export interface Opened {
  store: FilesStore;
  sessions: Map<string, StoredSession>;
  /** The names of the folders that could not be read. */
  unreadable: string[];
}

export async function openStore(directory: string): Promise<Opened> {
  const unreadable: string[] = [];
  const store = new FilesStore(directory, (folder) =>
    unreadable.push(folder.slice(join(directory, "sessions/").length)),
  );
  const sessions = await store.sessions();
  return { store, sessions: new Map(sessions.map((session) => [session.record.sessionId, session])), unreadable };
}

/** Texts appended one by one with a turn each; `checkpointAfter` of them are followed by a checkpoint. */
export async function writtenFolder(texts: readonly string[], checkpointAfter?: number): Promise<SessionFolder> {
  const folder = new SessionFolder(quickDirectory());
  const { store } = await folder.open();
  await store.create(sampleRecord("s"));
  for (const [index, text] of texts.entries()) {
    await appendTexts(store, "s", [text]);
    await store.appendTurn("s", sampleTurn(`t${index + 1}`));
    if (index + 1 === checkpointAfter) store.checkpoint("s", { seen: index + 1 });
  }
  await store.close();
  return folder;
}
