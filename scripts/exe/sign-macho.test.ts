/** Feared: a program for macOS that macOS ends at once, and no Mac to see it on. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { hasRightHashes, readCommands, signAdHoc } from "./sign-macho.mjs";

const headerBytes = 32;
const segmentBytes = 72;

/** The smallest program with the two segments that matter. */
function unsignedProgram({ room = 64, textBytes = 0x4000, linkBytes = 0x123 } = {}): Buffer {
  const program = Buffer.alloc(textBytes + linkBytes, 0xaa);
  const commands = [segment("__TEXT", 0, textBytes), segment("__LINKEDIT", textBytes, linkBytes)];
  const end = headerBytes + commands.length * segmentBytes;
  program.fill(0, 0, end + room);
  program.writeUInt32LE(0xfeedfacf, 0);
  program.writeUInt32LE(commands.length, 16);
  program.writeUInt32LE(commands.length * segmentBytes, 20);
  Buffer.concat(commands).copy(program, headerBytes);
  return program;
}

function segment(name: string, offset: number, bytes: number): Buffer {
  const command = Buffer.alloc(segmentBytes);
  command.writeUInt32LE(0x19, 0);
  command.writeUInt32LE(segmentBytes, 4);
  command.write(name, 8, "latin1");
  command.writeBigUInt64LE(BigInt(offset), 40);
  command.writeBigUInt64LE(BigInt(bytes), 48);
  return command;
}

test("the signature is the end of the file, of the last segment, and told by a load command", () => {
  const unsigned = unsignedProgram();
  const signed = signAdHoc(unsigned, "tool");
  const { signature, segments } = readCommands(signed);
  const offset = Math.ceil(unsigned.length / 16) * 16;
  expect(signature).toEqual({ offset, length: signed.length - offset });
  expect(segments.get("__LINKEDIT").fileBytes).toBe(signed.length - 0x4000);
  expect(signed.readUInt32LE(16)).toBe(3);
  expect(signed.readUInt32LE(20)).toBe(2 * segmentBytes + 16);
});

test("it names the program, says that it is nobody's, and has a hash for each page", () => {
  const signed = signAdHoc(unsignedProgram(), "tool");
  const { offset } = readCommands(signed).signature!;
  const directory = signed.subarray(offset + 20);
  const word = (at: number) => directory.readUInt32BE(at);
  expect([word(0).toString(16), word(8).toString(16), word(12)]).toEqual(["fade0c02", "20400", 2]);
  expect([word(28), word(32)]).toEqual([Math.ceil(offset / 4096), offset]);
  expect(directory.toString("latin1", word(20), word(16))).toBe("tool\0");
  const lastPage = createHash("sha256")
    .update(signed.subarray(4 * 4096, offset))
    .digest();
  expect(directory.subarray(word(16) + 4 * 32, word(16) + 5 * 32)).toEqual(lastPage);
});

test("it is right, and wrong after the change of any byte before it", () => {
  const signed = signAdHoc(unsignedProgram(), "tool");
  expect(hasRightHashes(signed)).toBe(true);
  signed.writeUInt8(1, 0x3000);
  expect(hasRightHashes(signed)).toBe(false);
  expect(hasRightHashes(unsignedProgram())).toBe(false);
});

test.each([
  ["a program that is signed", () => signAdHoc(unsignedProgram(), "tool"), "signed already"],
  ["one without room for the command", () => unsignedProgram({ room: 8 }), "no room"],
  ["something else", () => Buffer.alloc(100), "no 64-bit Mach-O"],
])("%s is refused", (_, program, sentence) => {
  expect(() => signAdHoc(program(), "tool")).toThrow(sentence);
});
