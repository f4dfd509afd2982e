import { SandboxError } from "@sandbox-agent-ts/protocol";

/** Where an installation was when it failed. */
export type InstallStep = "registry" | "resolve" | "download" | "unpack" | "verify" | "store";

export interface InstallFailureDetails {
  readonly step: InstallStep;
  readonly url?: string;
  /** Of the HTTP answer. */
  readonly status?: number;
  readonly stderr?: string;
}

/** The one error of this folder: a sentence that says what to do, and where it happened. */
export function installFailure(message: string, details: InstallFailureDetails, cause?: unknown): SandboxError {
  const { url, ...rest } = details;
  const shown = url === undefined ? rest : { url: withoutSecrets(url), ...rest };
  return new SandboxError("install_failed", message, { details: shown, cause });
}

/** Runs a step; an error that has no sentence yet gets one. */
export async function duringStep<T>(step: InstallStep, what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SandboxError) throw error;
    throw installFailure(`${what} failed: ${reasonOf(error)}`, { step }, error);
  }
}

/** Registries put credentials into the user part of a URL, stores of files into the query. */
export function withoutSecrets(url: string): string {
  try {
    const shown = new URL(url);
    shown.username = "";
    shown.password = "";
    shown.search = "";
    shown.hash = "";
    return shown.href;
  } catch {
    return "(not a URL)";
  }
}

const sentences: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full. Free some space and try again.",
  EDQUOT: "the disk quota is used up. Free some space and try again.",
  EROFS: "the directory is read-only. Choose one that can be written.",
  EACCES: "permission denied. Make the directory writable for this user.",
};

/** Is it this machine's disk that fails? Then no other place to fetch from helps. */
export function isOfDisk(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as NodeJS.ErrnoException & { cause?: unknown };
  return (code !== undefined && code in sentences) || (cause !== undefined && isOfDisk(cause));
}

/** What a system error means for a person; errors of `fetch` hide it in their cause. */
export function reasonOf(error: unknown): string {
  const { code, cause, message } = error as NodeJS.ErrnoException & { cause?: unknown };
  const sentence = code === undefined ? undefined : sentences[code];
  if (sentence !== undefined) return sentence;
  if (cause instanceof Error) return reasonOf(cause);
  return message || code || String(error);
}
