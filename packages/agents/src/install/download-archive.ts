import { createReadStream } from "node:fs";
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import { readRegularText } from "../files/read-regular-file.ts";
import { type HttpAnswer, type HttpGet, httpGet } from "./http-get.ts";
import { installFailure } from "./install-failure.ts";
import type { OnStep } from "./install-progress.ts";
import { hasherOf, type Integrity, matches } from "./integrity.ts";
import { Transient } from "./retrying.ts";
import { halfOf, syncDirectory, writeWhole } from "./write-whole.ts";

/** What an archive must be. */
export interface ExpectedArchive {
  readonly integrity: Integrity;
  /** It comes compressed and is kept as what was compressed, which is what the hash is of. */
  readonly isGzipped?: boolean;
}

/**
 * Streams an archive to this file, which appears only when it is whole and hashes to what it must. What came of a download
 * that was cut off, by the network or by the end of this process, is kept beside it, and the next attempt asks for the rest
 * alone. Only one process at a time may do this. Returns what came over the network.
 */
export async function downloadArchive(
  request: HttpGet,
  expected: ExpectedArchive,
  path: string,
  onStep: OnStep,
): Promise<number> {
  const half = await HalfFile.open(halfOf(path).bytes, halfOf(path).validator);
  try {
    const received = await fill(half, request, onStep);
    await half.close();
    await makeWhole(half, expected, path, request.url);
    return received;
  } catch (error) {
    await half.close();
    // Bytes that are wrong, or too many for the disk, are of no use to the next attempt.
    if (!(error instanceof Transient)) await half.remove();
    throw error;
  }
}

/** Asks for what is missing. A server that cannot send a part, or whose file is another by now, sends all of it. */
async function fill(half: HalfFile, request: HttpGet, onStep: OnStep): Promise<number> {
  const { url, limits } = request;
  let answered: HttpAnswer | undefined;
  let bytes = 0;
  let total: number | undefined;
  const report = () => onStep({ step: "download", bytes, ...(total === undefined ? {} : { total }) });
  const onAnswer = (answer: HttpAnswer) => {
    answered = answer;
    bytes = answer.status === 206 ? half.size : 0;
    total = answer.length === undefined ? undefined : bytes + answer.length;
    report();
  };
  let received = 0;
  try {
    for await (const piece of httpGet({ ...request, onAnswer, headers: half.headers() })) {
      if (received === 0) await half.begin(answered!, url, request.step);
      received += piece.length;
      bytes += piece.length;
      if (bytes > limits.maxArchiveBytes) throw tooLarge(url, limits.maxArchiveBytes);
      await half.write(piece);
      report();
    }
  } catch (error) {
    if (!isOutOfRange(error)) throw error;
    await half.remove();
    throw new Transient(error);
  }
  // An empty answer is a whole one, too.
  if (received === 0) await half.begin(answered!, url, request.step);
  return received;
}

function isOutOfRange(error: unknown): error is SandboxError {
  return error instanceof SandboxError && (error.details as { status?: number } | undefined)?.status === 416;
}

async function makeWhole(
  half: HalfFile,
  { integrity, isGzipped = false }: ExpectedArchive,
  path: string,
  url: string,
): Promise<void> {
  const hasher = hasherOf(integrity);
  const check = () => {
    if (!matches(integrity, hasher)) throw altered(url, integrity);
  };
  try {
    if (isGzipped) await writeWhole(path, unzipped(half.path, hasher, check));
    else {
      await pipeline(createReadStream(half.path), hasher);
      check();
      await rename(half.path, path);
      await syncDirectory(dirname(path));
    }
  } catch (error) {
    const failure = isOfZlib(error) ? altered(url, integrity) : error;
    // The part that was there already may be what is wrong.
    if (!half.wasResumed || !(failure instanceof SandboxError)) throw failure;
    await half.remove();
    throw new Transient(failure);
  }
  await half.remove();
}

async function* unzipped(path: string, hasher: { update(piece: Uint8Array): unknown }, check: () => void) {
  const plain = createGunzip();
  const reading = pipeline(createReadStream(path), plain);
  // The loop meets the same error.
  reading.catch(() => undefined);
  for await (const piece of plain as AsyncIterable<Uint8Array>) {
    hasher.update(piece);
    yield piece;
  }
  await reading;
  check();
}

const isOfZlib = (error: unknown) => /^Z_/.test(String((error as NodeJS.ErrnoException).code));

/** The bytes of a download that are there, and what the server called the version of the file that they are of. */
class HalfFile {
  readonly path: string;
  readonly #validatorPath: string;
  #validator: string | undefined;
  #file: FileHandle | undefined;
  size = 0;
  wasResumed = false;

  private constructor(path: string, validatorPath: string) {
    this.path = path;
    this.#validatorPath = validatorPath;
  }

  static async open(path: string, validatorPath: string): Promise<HalfFile> {
    const half = new HalfFile(path, validatorPath);
    half.size = (await stat(path).catch(() => undefined))?.size ?? 0;
    if (half.size > 0) half.#validator = await readRegularText(validatorPath).catch(() => undefined);
    return half;
  }

  /** Without a validator nothing is lost: the hash says in the end whether the parts are of one file. */
  headers(): Record<string, string> {
    const whole = { "accept-encoding": "identity" };
    if (this.size === 0) return whole;
    const condition = this.#validator ? { "if-range": this.#validator } : {};
    return { ...whole, range: `bytes=${this.size}-`, ...condition };
  }

  /** Goes on where it ends, or from the beginning: as the server does. */
  async begin(answer: HttpAnswer, url: string, step: HttpGet["step"]): Promise<void> {
    if (answer.status === 206) {
      const from = /^bytes (\d+)-/.exec(answer.header("content-range") ?? "")?.[1];
      if (this.size === 0 || Number(from) !== this.size) {
        await this.remove();
        throw new Transient(installFailure("The server sent another part than was asked for.", { step, url }));
      }
      this.wasResumed = true;
    } else {
      await this.remove();
      const etag = answer.header("etag");
      // A weak one does not say that the bytes are the same.
      const validator = etag?.startsWith("W/") ? undefined : (etag ?? answer.header("last-modified"));
      if (validator !== undefined) await writeWhole(this.#validatorPath, validator);
    }
    this.#file = await open(this.path, "a", 0o644);
  }

  async write(piece: Uint8Array): Promise<void> {
    await this.#file!.appendFile(piece);
    this.size += piece.length;
  }

  /** Also after a power cut what is counted on is there. */
  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.sync().catch(() => undefined);
    await file?.close();
  }

  async remove(): Promise<void> {
    this.size = 0;
    await rm(this.path, { force: true });
    await rm(this.#validatorPath, { force: true });
  }
}

function tooLarge(url: string, limit: number): Error {
  const sentence = `The archive has more than ${limit} bytes, which no program has. Check where it comes from.`;
  return installFailure(sentence, { step: "download", url });
}

function altered(url: string, { algorithm }: Integrity): SandboxError {
  const sentence = `What was downloaded is not what was announced (${algorithm} differs). Try again; if it stays so, something on the way changes files.`;
  return installFailure(sentence, { step: "download", url });
}
