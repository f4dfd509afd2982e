const headerBytes = 5;
const lastFlag = 2;

/** A message of the Connect protocol in a stream: a flag, its length, JSON. */
export function frame(message: unknown, flag = 0): Buffer {
  const json = Buffer.from(JSON.stringify(message));
  const header = Buffer.alloc(headerBytes);
  header.writeUInt8(flag);
  header.writeUInt32BE(json.length, 1);
  return Buffer.concat([header, json]);
}

/** What ends a stream, with what went wrong. */
export function lastFrame(error?: { readonly code: string; readonly message: string }): Buffer {
  return frame(error ? { error } : {}, lastFlag);
}

/** The message of a request whose answer is a stream: one frame. */
export function unframed<T>(bytes: Buffer): T {
  return JSON.parse(bytes.subarray(headerBytes, headerBytes + bytes.readUInt32BE(1)).toString()) as T;
}
