import type { SandboxAgent } from "@sandbox-agent-ts/sdk";

/** More pictures than this are read again when they are shown again. */
const KEPT = 60;

const cached = new WeakMap<SandboxAgent, Map<string, Promise<string>>>();

export interface PictureFile {
  readonly path: string;
  readonly sessionId: string;
  readonly mime: string;
  /** Another one of the same path is another picture. */
  readonly version?: string | undefined;
}

/** The address of a picture in the sandbox, read once although it comes and goes while one scrolls. */
export function imageUrl(client: SandboxAgent, file: PictureFile): Promise<string> {
  const urls = cached.get(client) ?? new Map<string, Promise<string>>();
  cached.set(client, urls);
  const key = JSON.stringify(file);
  const known = urls.get(key);
  if (known) return known;
  const url = readUrl(client, file);
  urls.set(key, url);
  url.catch(() => urls.delete(key));
  dropOldest(urls);
  return url;
}

async function readUrl(client: SandboxAgent, { path, sessionId, mime }: PictureFile): Promise<string> {
  const bytes = await client.readFsFile({ path, sessionId });
  return URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: mime }));
}

function dropOldest(urls: Map<string, Promise<string>>): void {
  const [oldest] = urls;
  if (urls.size <= KEPT || !oldest) return;
  const [key, url] = oldest;
  urls.delete(key);
  url.then(URL.revokeObjectURL, () => undefined);
}
