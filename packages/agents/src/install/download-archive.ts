import { type HttpGet, httpGet } from "./http-get.ts";
import { installFailure } from "./install-failure.ts";
import { hasherOf, type Integrity, matches } from "./integrity.ts";
import { writeWhole } from "./write-whole.ts";

/** Streams an archive to this file, which appears only when it is whole and hashes to what it must. */
export async function downloadArchive(request: HttpGet, integrity: Integrity, path: string): Promise<void> {
  const hasher = hasherOf(integrity);
  async function* checked() {
    for await (const piece of httpGet(request)) {
      hasher.update(piece);
      yield piece;
    }
    if (!matches(integrity, hasher)) throw altered(request.url, integrity);
  }
  await writeWhole(path, checked());
}

function altered(url: string, { algorithm }: Integrity): Error {
  const sentence = `What was downloaded is not what the registry announced (${algorithm} differs). Try again; if it stays so, something between here and the registry changes files.`;
  return installFailure(sentence, { step: "download", url });
}
