import { type HttpGet, httpGet } from "./http-get.ts";
import { installFailure } from "./install-failure.ts";
import type { OnStep } from "./install-progress.ts";
import { hasherOf, type Integrity, matches } from "./integrity.ts";
import { writeWhole } from "./write-whole.ts";

/** Streams an archive to this file, which appears only when it is whole and hashes to what it must. Returns its size. */
export async function downloadArchive(
  request: HttpGet,
  integrity: Integrity,
  path: string,
  onStep: OnStep,
): Promise<number> {
  const hasher = hasherOf(integrity);
  let bytes = 0;
  let total: number | undefined;
  const report = () => onStep({ step: "download", bytes, ...(total === undefined ? {} : { total }) });
  const onLength = (length: number | undefined) => {
    total = length;
    report();
  };
  async function* checked() {
    for await (const piece of httpGet({ ...request, onLength })) {
      hasher.update(piece);
      bytes += piece.length;
      if (bytes > request.limits.maxArchiveBytes) throw tooLarge(request.url, request.limits.maxArchiveBytes);
      report();
      yield piece;
    }
    if (!matches(integrity, hasher)) throw altered(request.url, integrity);
  }
  await writeWhole(path, checked());
  return bytes;
}

function tooLarge(url: string, limit: number): Error {
  const sentence = `The archive has more than ${limit} bytes, which no program has. Check npm's registry.`;
  return installFailure(sentence, { step: "download", url });
}

function altered(url: string, { algorithm }: Integrity): Error {
  const sentence = `What was downloaded is not what the registry announced (${algorithm} differs). Try again; if it stays so, something between here and the registry changes files.`;
  return installFailure(sentence, { step: "download", url });
}
