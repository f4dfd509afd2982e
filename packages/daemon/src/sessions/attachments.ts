import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, realpathSync } from "node:fs";
import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type MessageAttachment, SandboxError } from "@sandbox-agent-ts/protocol";
import type { TurnRecord } from "@sandbox-agent-ts/store";

/** Longer names are cut; with the digest in front they stay below what file systems take. */
const maxNameLength = 100;

/** The attachments that came as bytes: a file each, in a directory per session, named after their content. */
export class Attachments {
  readonly #directory: string;
  #root: string | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** What the filesystem API may read of them: nothing before the first one. */
  roots(): readonly string[] {
    return this.#root === undefined ? [] : [this.#root];
  }

  /** The attachments of a message as files. The same bytes under the same name are the same file. */
  async filesOf(sessionId: string, attachments: readonly MessageAttachment[]): Promise<TurnRecord["attachments"]> {
    const contents = attachments.map(({ url }, index) => (url ? decodeDataUrl(url, index) : undefined));
    const files: TurnRecord["attachments"][number][] = [];
    for (const [index, { path: given, filename, mime: said }] of attachments.entries()) {
      const content = contents[index];
      const mime = said ?? content?.mime;
      const path = content ? await this.#keep(sessionId, { bytes: content.bytes, mime, filename }) : given!;
      files.push({ path, ...(mime ? { mime } : {}), ...(filename ? { filename } : {}) });
    }
    return files;
  }

  /** All of a session. */
  async delete(sessionId: string): Promise<void> {
    await rm(this.#directoryOf(sessionId), { recursive: true, force: true });
  }

  async #keep(sessionId: string, { bytes, mime, filename }: DecodedAttachment): Promise<string> {
    this.#prepareRoot();
    const directory = this.#directoryOf(sessionId);
    const digest = createHash("sha256").update(bytes).digest("hex").slice(0, 32);
    const path = join(directory, `${digest}-${safeName(filename, mime)}`);
    if (await isFile(path)) return path;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const temporary = join(directory, `.${randomBytes(6).toString("hex")}`);
    try {
      await writeFile(temporary, bytes, { mode: 0o600, flush: true });
      await rename(temporary, path);
    } catch (cause) {
      await rm(temporary, { force: true });
      throw cause;
    }
    return path;
  }

  #prepareRoot(): void {
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    this.#root ??= realpathSync(this.#directory);
  }

  #directoryOf(sessionId: string): string {
    const name = createHash("sha256").update(sessionId).digest("hex").slice(0, 32);
    return join(this.#root ?? this.#directory, name);
  }
}

interface DecodedAttachment {
  readonly bytes: Buffer;
  readonly mime?: string | null | undefined;
  readonly filename?: string | null | undefined;
}

/** The content of a `data:` URL, base64 or percent-encoded; its own type where the attachment names none. */
function decodeDataUrl(url: string, index: number): { bytes: Buffer } & Pick<MessageAttachment, "mime"> {
  const comma = url.indexOf(",");
  const [type = "", ...parameters] = url.slice("data:".length, comma).split(";");
  const isBase64 = parameters.at(-1)?.trim().toLowerCase() === "base64";
  const bytes =
    comma === -1 ? undefined : isBase64 ? fromBase64(url.slice(comma + 1)) : fromPercent(url.slice(comma + 1));
  if (!bytes) {
    throw new SandboxError(
      "invalid_request",
      `The url of attachment ${index + 1} is not a valid data: URL. Send it as data:<type>;base64,<content>.`,
      { details: { issues: [{ path: `attachments.${index}.url`, message: "must be a valid data: URL" }] } },
    );
  }
  return { bytes, ...(type === "" ? {} : { mime: type.toLowerCase() }) };
}

function fromBase64(text: string): Buffer | undefined {
  const plain = text.includes("%") ? decodePercent(text) : text;
  return plain !== undefined && /^[A-Za-z0-9+/_-]*={0,2}$/.test(plain) ? Buffer.from(plain, "base64") : undefined;
}

function fromPercent(text: string): Buffer | undefined {
  if (/%(?![0-9a-fA-F]{2})/.test(text)) return undefined;
  const binary = Buffer.from(text).toString("latin1");
  const decoded = binary.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(decoded, "latin1");
}

function decodePercent(text: string): string | undefined {
  return fromPercent(text)?.toString("latin1");
}

/** Letters, digits, dots and dashes of the name that was given, else one that says what it is. */
function safeName(filename: string | null | undefined, mime: string | null | undefined): string {
  const name = (filename ?? "")
    .replace(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[.-]+/, "")
    .slice(-maxNameLength);
  if (name !== "") return name;
  const extension = /^[a-z]+\/([a-z0-9]+)/.exec(mime ?? "")?.[1];
  return extension === undefined ? "attachment" : `attachment.${extension}`;
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
