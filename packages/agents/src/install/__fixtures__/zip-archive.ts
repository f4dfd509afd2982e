import { crc32, deflateRawSync } from "node:zlib";

export interface ZipEntry {
  readonly name: string;
  readonly content?: string | Uint8Array;
  /** With the kind of file in front, as Unix has it; 0 as of Windows. */
  readonly mode?: number;
  readonly isStored?: boolean;
  readonly method?: number;
  readonly flags?: number;
  /** What is claimed instead of the truth. */
  readonly size?: number;
  readonly crc?: number;
}

/** A zip as the usual programs write it. */
export function zipArchive(entries: readonly ZipEntry[], comment = ""): Buffer {
  const local: Buffer[] = [];
  const list: Buffer[] = [];
  let offset = 0;
  for (const { name: text, content = "", mode = 0o100644, isStored = false, flags = 0, ...claimed } of entries) {
    const [name, plain] = [Buffer.from(text), Buffer.from(content)];
    const packed = isStored ? plain : deflateRawSync(plain);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(flags, 2);
    shared.writeUInt16LE(claimed.method ?? (isStored ? 0 : 8), 4);
    shared.writeUInt32LE(claimed.crc ?? crc32(plain), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(claimed.size ?? plain.length, 18);
    shared.writeUInt16LE(name.length, 22);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE((mode << 16) >>> 0, 6);
    rest.writeUInt32LE(offset, 10);
    const madeBy = Buffer.from([20, mode === 0 ? 0 : 3]);
    const parts = [Buffer.from("PK\x03\x04"), shared, name, packed];
    local.push(...parts);
    list.push(Buffer.from("PK\x01\x02"), madeBy, shared, rest, name);
    offset += Buffer.concat(parts).length;
  }
  const listed = Buffer.concat(list);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(listed.length, 8);
  end.writeUInt32LE(offset, 12);
  end.writeUInt16LE(comment.length, 16);
  return Buffer.concat([...local, listed, Buffer.from("PK\x05\x06"), end, Buffer.from(comment)]);
}
