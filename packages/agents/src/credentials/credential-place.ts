import { homedir } from "node:os";
import { readRegularText } from "../files/read-regular-file.ts";
import { isSettings, parseSettings, type Settings } from "../settings/json-settings.ts";

/** What is larger is no credential; it is about what the programs themselves read. */
const maxBytes = 256 * 1024;

export type Environment = Readonly<Record<string, string | undefined>>;

/** A machine as somebody sees it who looks for credentials. */
export interface CredentialPlace {
  readonly env: Environment;
  readonly home: string;
  readonly platform: string;
  readonly now: number;
  /** A file with JSON in it; empty when it is not there or nothing can be made of it. */
  json(path: string, limit?: number): Promise<Settings>;
  /** A file's text; empty when it is not there or cannot be read. */
  text(path: string): Promise<string>;
}

export interface PlaceOptions {
  readonly env: Environment;
  readonly platform?: string;
  readonly now?: number;
  /** Told of a file that is there and cannot be used. The sentence never quotes it. */
  readonly warn?: (sentence: string) => void;
}

/** Whatever stands in the place of a file (a pipe, a device, gigabytes) is passed over and told. */
export function credentialPlace({
  env,
  platform = process.platform,
  now = Date.now(),
  warn,
}: PlaceOptions): CredentialPlace {
  const read = async (path: string, limit = maxBytes): Promise<string> => {
    try {
      return (await readRegularText(path, limit)).replace(/^\uFEFF/, "");
    } catch (error) {
      const why = whyUnreadable((error as NodeJS.ErrnoException).code ?? "");
      if (why !== undefined) warn?.(`Cannot use ${path}: ${why}.`);
      return "";
    }
  };
  return {
    env,
    home: env.HOME || homedir(),
    platform,
    now,
    text: (path) => read(path),
    async json(path, limit) {
      const value = parse(await read(path, limit));
      if (isSettings(value)) return value;
      // What `JSON.parse` says quotes the file, which is a secret.
      warn?.(`Cannot use ${path}: it is not ${value === undefined ? "JSON" : "a JSON object"}.`);
      return {};
    },
  };
}

function parse(text: string): unknown {
  try {
    return text.trim() === "" ? {} : JSON.parse(text);
  } catch {
    return /\/[/*]/.test(text) ? parseWithComments(text) : undefined;
  }
}

function parseWithComments(text: string): unknown {
  try {
    return parseSettings(text);
  } catch {
    return undefined;
  }
}

/** Undefined for a file that is not there. */
function whyUnreadable(code: string): string | undefined {
  if (code === "ENOENT") return undefined;
  if (code === "EACCES" || code === "EPERM") return "you may not read it";
  if (code === "EFBIG") return "it is too large for one";
  if (code === "EINVAL" || code === "EISDIR" || code === "ENXIO") return "it is not a file";
  return `it cannot be read (${code})`;
}
