import { type HttpGet, httpGet } from "./http-get.ts";
import { installFailure, withoutSecrets } from "./install-failure.ts";
import { retrying } from "./retrying.ts";

/** The whole body of an answer that is small; asked for again where the failure may pass. */
export async function fetchBytes(request: HttpGet, maxBytes: number): Promise<Buffer> {
  return retrying(request.limits.retryPausesMs, async () => {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of httpGet(request)) {
      bytes += piece.byteLength;
      if (bytes > maxBytes) throw tooLarge(request, maxBytes);
      pieces.push(piece);
    }
    return Buffer.concat(pieces);
  });
}

function tooLarge({ url, step }: HttpGet, limit: number): Error {
  const sentence = `${withoutSecrets(url)} answered with more than ${limit} bytes, which is no description of a release.`;
  return installFailure(sentence, { step, url });
}
