import type { Box, BoxProcess } from "../box/box.ts";
import { GrpcError } from "./grpc-server.ts";
import type { taskExecStart } from "./messages.ts";
import { variablesOf } from "./modal-sandbox.ts";
import type { Decoded } from "./protobuf.ts";

export type ExecWish = Decoded<typeof taskExecStart.request>;

const fileToolPath = "/__modal/.bin/modal-sandbox-fs-tools";

/** The commands of one sandbox, by the ids that whoever started them has chosen. */
export class TaskExecs {
  readonly #all = new Map<string, Promise<TaskExec>>();

  /** A command that is asked for again is not started twice. */
  start(box: Box, wish: ExecWish): Promise<TaskExec> {
    const known = this.#all.get(wish.execId);
    if (known) return known;
    const started = startExec(box, wish);
    this.#all.set(wish.execId, started);
    return started;
  }

  find(execId: string): Promise<TaskExec> {
    const found = this.#all.get(execId);
    if (found === undefined) throw new GrpcError("notFound", `There is no exec ${execId}.`);
    return found;
  }
}

async function startExec(box: Box, wish: ExecWish): Promise<TaskExec> {
  const [program = "", argument = ""] = wish.command;
  if (program === "") throw new GrpcError("invalidArgument", "There is no command.");
  const isDetached = wish.stdout === 0 && wish.stderr === 0;
  const command = program === fileToolPath ? fileCommand(argument) : wish.command;
  try {
    const env = variablesOf(wish.secretSources);
    const cwd = wish.workdir || undefined;
    const exec = new TaskExec(await box.exec(command, { env, cwd, detached: isDetached }));
    if (wish.timeoutSeconds > 0) exec.limit(wish.timeoutSeconds * 1000);
    return exec;
  } catch (error) {
    throw new GrpcError("failedPrecondition", `The command cannot be started: ${(error as Error).message}`);
  }
}

/** Modal's own program for files, which is in every sandbox; of it only what writes one. */
function fileCommand(request: string): readonly string[] {
  const { WriteFile: write } = JSON.parse(request) as { WriteFile?: { path: string } };
  if (write === undefined) throw new GrpcError("unimplemented", "This fake only writes files.");
  const script = `
    fail() { printf '{"error_kind":"%s","message":"%s"}' "$1" "$2" >&2; exit 1; }
    [ ! -d "$1" ] || fail IsDirectory "It is a directory"
    mkdir -p "$(dirname "$1")" 2>/dev/null || fail NotDirectory "No directory can be made there"
    cat > "$1" 2>/dev/null || fail PermissionDenied "It cannot be written to"`;
  return ["sh", "-c", script, "sh", write.path];
}

/** A command with what it has written so far, which may be read from any place. */
export class TaskExec {
  readonly stdout: Output;
  readonly stderr: Output;
  stdinBytes = 0;
  isStdinClosed = false;
  readonly exited: Promise<{ readonly code?: number; readonly signal?: number }>;
  readonly #process: BoxProcess;
  #hasExited = false;

  constructor(process: BoxProcess) {
    this.#process = process;
    this.stdout = new Output(process.stdout);
    this.stderr = new Output(process.stderr);
    this.exited = process.exited.then(({ code, signal }) => {
      this.#hasExited = true;
      return signal === null ? { code: code ?? 0 } : { signal: signal === "SIGKILL" ? 9 : 15 };
    });
  }

  get hasExited(): boolean {
    return this.#hasExited;
  }

  /** Bytes that were sent before are dropped. */
  write(offset: number, data: Uint8Array): void {
    if (offset > this.stdinBytes) throw new GrpcError("invalidArgument", "Bytes of the standard input are missing.");
    const fresh = data.subarray(this.stdinBytes - offset);
    if (fresh.length === 0) return;
    this.stdinBytes += fresh.length;
    this.#process.writeStdin(fresh);
  }

  closeStdin(): void {
    if (!this.isStdinClosed) this.#process.closeStdin();
    this.isStdinClosed = true;
  }

  limit(ms: number): void {
    const timer = setTimeout(() => this.#process.kill("SIGKILL", true), ms);
    timer.unref();
    void this.exited.then(() => clearTimeout(timer));
  }
}

class Output {
  readonly #chunks: Buffer[] = [];
  readonly #waiting: (() => void)[] = [];
  #ended = false;

  constructor(source: AsyncIterable<Buffer>) {
    void this.#collect(source);
  }

  async #collect(source: AsyncIterable<Buffer>): Promise<void> {
    try {
      for await (const chunk of source) {
        this.#chunks.push(chunk);
        this.#tell();
      }
    } finally {
      this.#ended = true;
      this.#tell();
    }
  }

  #tell(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** From this byte on to the end, as it comes. */
  async *from(offset: number): AsyncGenerator<Buffer> {
    let skip = offset;
    for (let index = 0; ; ) {
      const chunk = this.#chunks[index];
      if (chunk !== undefined) {
        index += 1;
        const fresh = chunk.subarray(skip);
        skip = Math.max(0, skip - chunk.length);
        if (fresh.length > 0) yield fresh;
      } else if (this.#ended) return;
      else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }
}
