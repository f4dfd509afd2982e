/** What a runtime asks the daemons of its sandboxes for, and how much they send. */
export class WatchedTransfers {
  /** The paths of which contents were asked for, in bytes as latin1. */
  asked: string[] = [];
  /** Of the archives that came. */
  bytes = 0;

  readonly network: typeof fetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : String(input));
    if (pathname !== "/v1/fs/tar") return fetch(input, init);
    const { paths, pathBytes } = JSON.parse(String(init?.body)) as { paths: string[]; pathBytes: string[] };
    const buffers = [
      ...paths.map((path) => Buffer.from(path)),
      ...pathBytes.map((path) => Buffer.from(path, "base64")),
    ];
    this.asked.push(...buffers.map((path) => path.toString("latin1")));
    const response = await fetch(input, init);
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, stream) => {
        this.bytes += bytes.length;
        stream.enqueue(bytes);
      },
    });
    return new Response(response.body?.pipeThrough(counting), response);
  };

  /** What was seen so far, which is forgotten. */
  take(): { asked: readonly string[]; bytes: number } {
    const { asked, bytes } = this;
    this.asked = [];
    this.bytes = 0;
    return { asked, bytes };
  }
}
