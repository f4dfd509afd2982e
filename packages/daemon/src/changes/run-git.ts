import { type ChildProcess, spawn } from "node:child_process";

/** Why git could not answer. `missing` is lasting; the others concern one call. */
export class GitFailure extends Error {
  readonly kind: "missing" | "timeout" | "failed";

  constructor(kind: GitFailure["kind"], message: string) {
    super(message);
    this.name = "GitFailure";
    this.kind = kind;
  }
}

export interface GitCall {
  readonly args: readonly string[];
  /** Exactly the variables of the process. */
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string | Buffer;
  readonly maxOutputBytes: number;
  readonly deadline: AbortSignal;
}

export interface GitOutput {
  readonly bytes: Buffer;
  /** It had more to say than `maxOutputBytes`, and was stopped. */
  readonly truncated: boolean;
}

const maxErrorBytes = 2_000;

/** Run git once, bounded in output and time; nothing of it is left when this settles. */
export async function runGit(call: GitCall): Promise<GitOutput> {
  call.deadline.throwIfAborted();
  const child = spawn("git", call.args, { env: call.env, cwd: "/", stdio: ["pipe", "pipe", "pipe"] });
  const exited = exitOf(child);
  // Without descriptors for its pipes there are none.
  if (child.pid === undefined) return exited as Promise<never>;
  const end = (): boolean => child.kill("SIGKILL");
  call.deadline.addEventListener("abort", end, { once: true });
  // A git that ends early does not read what is left.
  child.stdin.on("error", () => {});
  child.stdin.end(call.input ?? "");
  const output = collect(child.stdout, call.maxOutputBytes, end);
  const errors = collect(child.stderr, maxErrorBytes, () => {});
  try {
    const code = await exited;
    const { bytes, truncated } = output();
    if (truncated || code === 0) return { bytes, truncated };
    if (call.deadline.aborted) throw new GitFailure("timeout", "git took too long.");
    throw new GitFailure("failed", `git ${call.args[0]} failed: ${errors().bytes.toString("utf8").trim() || code}`);
  } finally {
    call.deadline.removeEventListener("abort", end);
  }
}

function collect(stream: NodeJS.ReadableStream, limit: number, onLimit: () => void): () => GitOutput {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on("data", (chunk: Buffer) => {
    if (size > limit) return;
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) onLimit();
  });
  return () => ({ bytes: Buffer.concat(chunks).subarray(0, limit), truncated: size > limit });
}

function exitOf(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) => {
      reject(new GitFailure(error.code === "ENOENT" ? "missing" : "failed", `git cannot be run: ${error.message}`));
    });
    child.once("close", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
}
