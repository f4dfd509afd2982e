import { createHash } from "node:crypto";

const MAGIC_64 = 0xfeedfacf;
const HEADER_BYTES = 32;
const LC_SEGMENT_64 = 0x19;
const LC_CODE_SIGNATURE = 0x1d;
const SIGNATURE_COMMAND_BYTES = 16;
const SEGMENT_ALIGNMENT = 0x4000;
const PAGE_BITS = 12;
const PAGE_BYTES = 2 ** PAGE_BITS;
const HASH_BYTES = 32;
const SHA_256 = 2;

const SUPER_BLOB = 0xfade0cc0;
const CODE_DIRECTORY = 0xfade0c02;
const SUPER_BLOB_BYTES = 20;
/** Up to and with the limits of the executable segment. */
const CODE_DIRECTORY_BYTES = 88;
const CODE_DIRECTORY_VERSION = 0x20400;
const AD_HOC = 0x2;
const MAIN_BINARY = 1;

/**
 * A Mach-O program without a signature, signed ad hoc: with the hashes of its pages and nobody's name, as
 * `codesign --sign -` does it. macOS runs nothing without on Apple's own processors.
 */
export function signAdHoc(unsigned, identifier) {
  const { segments, signature, commandsEnd } = readCommands(unsigned);
  if (signature) throw new Error("The program is signed already.");
  const room = unsigned.subarray(commandsEnd, commandsEnd + SIGNATURE_COMMAND_BYTES);
  if (room.some((byte) => byte !== 0)) throw new Error("The program has no room for the load command of a signature.");
  const codeLimit = align(unsigned.length, 16);
  const length = signatureBytes(codeLimit, identifier);
  const signed = Buffer.alloc(codeLimit + length);
  unsigned.copy(signed);

  signed.writeUInt32LE(signed.readUInt32LE(16) + 1, 16);
  signed.writeUInt32LE(signed.readUInt32LE(20) + SIGNATURE_COMMAND_BYTES, 20);
  const command = [LC_CODE_SIGNATURE, SIGNATURE_COMMAND_BYTES, codeLimit, length];
  for (const [index, word] of command.entries()) signed.writeUInt32LE(word, commandsEnd + 4 * index);
  const linkEdit = segments.get("__LINKEDIT");
  const linkEditBytes = signed.length - linkEdit.fileOffset;
  signed.writeBigUInt64LE(BigInt(align(linkEditBytes, SEGMENT_ALIGNMENT)), linkEdit.command + 32);
  signed.writeBigUInt64LE(BigInt(linkEditBytes), linkEdit.command + 48);

  writeSignature(signed, { codeLimit, identifier, text: segments.get("__TEXT") });
  return signed;
}

/** Does the signature hold the hashes of these very pages? */
export function hasRightHashes(program) {
  const { signature } = readCommands(program);
  if (!signature) return false;
  const directory = findCodeDirectory(program.subarray(signature.offset, signature.offset + signature.length));
  const [hashOffset, pages, codeLimit] = [16, 28, 32].map((field) => directory.readUInt32BE(field));
  const bits = directory[39];
  const expected = directory.subarray(hashOffset, hashOffset + pages * HASH_BYTES);
  return codeLimit === signature.offset && pageHashes(program.subarray(0, codeLimit), 2 ** bits).equals(expected);
}

/** Segments by name, the place of the signature, and where the load commands end. */
export function readCommands(program) {
  if (program.readUInt32LE(0) !== MAGIC_64) throw new Error("This is no 64-bit Mach-O program.");
  const segments = new Map();
  let signature;
  let at = HEADER_BYTES;
  for (let left = program.readUInt32LE(16); left > 0; left -= 1) {
    const kind = program.readUInt32LE(at);
    if (kind === LC_SEGMENT_64) {
      const name = program.toString("latin1", at + 8, at + 24).replace(/\0.*$/, "");
      const [fileOffset, fileBytes] = [at + 40, at + 48].map((field) => Number(program.readBigUInt64LE(field)));
      segments.set(name, { command: at, fileOffset, fileBytes });
    } else if (kind === LC_CODE_SIGNATURE) {
      signature = { offset: program.readUInt32LE(at + 8), length: program.readUInt32LE(at + 12) };
    }
    at += program.readUInt32LE(at + 4);
  }
  return { segments, signature, commandsEnd: at };
}

function writeSignature(program, { codeLimit, identifier, text }) {
  const pages = pageCount(codeLimit);
  const name = Buffer.from(`${identifier}\0`);
  const directoryBytes = CODE_DIRECTORY_BYTES + name.length + pages * HASH_BYTES;
  const blob = program.subarray(codeLimit);
  // The only blob in it is the code directory, which is slot 0.
  writeWords(blob, 0, [SUPER_BLOB, SUPER_BLOB_BYTES + directoryBytes, 1, 0, SUPER_BLOB_BYTES]);
  const directory = blob.subarray(SUPER_BLOB_BYTES);
  const hashOffset = CODE_DIRECTORY_BYTES + name.length;
  writeWords(directory, 0, [CODE_DIRECTORY, directoryBytes, CODE_DIRECTORY_VERSION, AD_HOC]);
  writeWords(directory, 16, [hashOffset, CODE_DIRECTORY_BYTES, 0, pages, codeLimit]);
  directory.set([HASH_BYTES, SHA_256, 0, PAGE_BITS], 36);
  directory.writeBigUInt64BE(BigInt(text.fileOffset), 64);
  directory.writeBigUInt64BE(BigInt(text.fileBytes), 72);
  directory.writeBigUInt64BE(BigInt(MAIN_BINARY), 80);
  name.copy(directory, CODE_DIRECTORY_BYTES);
  pageHashes(program.subarray(0, codeLimit), PAGE_BYTES).copy(directory, hashOffset);
}

function findCodeDirectory(blob) {
  if (blob.readUInt32BE(0) !== SUPER_BLOB) throw new Error("This is no signature.");
  for (let index = 0; index < blob.readUInt32BE(8); index += 1) {
    const directory = blob.subarray(blob.readUInt32BE(16 + 8 * index));
    if (directory.readUInt32BE(0) === CODE_DIRECTORY && directory[37] === SHA_256) return directory;
  }
  throw new Error("The signature has no code directory with SHA-256.");
}

function pageHashes(code, pageBytes) {
  const hashes = [];
  for (let at = 0; at < code.length; at += pageBytes) {
    hashes.push(
      createHash("sha256")
        .update(code.subarray(at, at + pageBytes))
        .digest(),
    );
  }
  return Buffer.concat(hashes);
}

function writeWords(buffer, offset, words) {
  for (const [index, word] of words.entries()) buffer.writeUInt32BE(word, offset + 4 * index);
}

const pageCount = (codeLimit) => Math.ceil(codeLimit / PAGE_BYTES);
const align = (bytes, to) => Math.ceil(bytes / to) * to;

function signatureBytes(codeLimit, identifier) {
  const name = Buffer.byteLength(identifier) + 1;
  return align(SUPER_BLOB_BYTES + CODE_DIRECTORY_BYTES + name + pageCount(codeLimit) * HASH_BYTES, 16);
}
