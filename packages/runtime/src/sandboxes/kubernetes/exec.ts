import type { RunResult } from "../hosted/hosted-machine.ts";
import { SandboxProviderError } from "../sandbox-provider.ts";
import type { Channels, Cluster } from "./cluster.ts";

const channel = { stdin: 0, stdout: 1, stderr: 2, status: 3 } as const;
/** As long as kubectl's frames. */
const frameBytes = 32 * 1024;
const maxOutputBytes = 16 * 1024 * 1024;

export interface ExecTarget {
  readonly pod: string;
  readonly container: string;
}

export interface ExecOptions {
  readonly timeoutMs: number;
  /** Older clusters cannot say that it ends: the command must know how long it is. */
  readonly input?: AsyncIterable<Uint8Array> | undefined;
}

/** A command in a container. Its exit code comes on a channel of its own, as a Status. */
export async function exec(
  cluster: Cluster,
  { pod, container }: ExecTarget,
  command: readonly string[],
  { timeoutMs, input }: ExecOptions,
): Promise<RunResult> {
  const { listener, result, fail } = collect();
  const query = new URLSearchParams({ container, stdin: String(input !== undefined), stdout: "true", stderr: "true" });
  for (const word of command) query.append("command", word);
  let channels: Channels | undefined;
  const late = new SandboxProviderError("timeout", `A command in ${pod} did not end within ${timeoutMs} ms.`);
  const timer = setTimeout(() => fail(late), timeoutMs);
  try {
    channels = await cluster.connect(pod, `exec?${query.toString().replaceAll("+", "%20")}`, listener);
    if (input !== undefined) await Promise.race([feed(channels, input), result]);
    return await result;
  } finally {
    clearTimeout(timer);
    channels?.close();
  }
}

async function feed(channels: Channels, input: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of input)
      for (let from = 0; from < chunk.length; from += frameBytes)
        await channels.send(channel.stdin, chunk.subarray(from, from + frameBytes));
  } catch {
    // The command ended before it had read all: its status says why.
  }
}

function collect() {
  const output: Record<number, Buffer[]> = { [channel.stdout]: [], [channel.stderr]: [] };
  let bytes = 0;
  let settle!: (result: RunResult) => void;
  let fail!: (error: Error) => void;
  const result = new Promise<RunResult>((resolve, reject) => {
    settle = resolve;
    fail = reject;
  });
  result.catch(() => {});
  const textOf = (of: number) => Buffer.concat(output[of] ?? []).toString();
  return {
    result,
    fail,
    listener: {
      onData(number: number, data: Buffer): boolean {
        if (number === channel.status) {
          try {
            settle(resultOf(JSON.parse(data.toString()) as Status, textOf(channel.stdout), textOf(channel.stderr)));
          } catch (error) {
            fail(error as Error);
          }
          return false;
        }
        bytes += data.length;
        if (bytes <= maxOutputBytes) output[number]?.push(data);
        return true;
      },
      onClose: () =>
        fail(new SandboxProviderError("unavailable", "The connection to the cluster broke while a command ran.")),
    },
  };
}

interface Status {
  readonly status?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: readonly { readonly reason?: string; readonly message?: string }[] };
}

const commandNotFound = 127;

/** A program that is missing is a failure without an exit code. */
function resultOf({ status, message = "", details }: Status, stdout: string, stderr: string): RunResult {
  if (status === "Success") return { code: 0, stdout, stderr };
  const code = details?.causes?.find(({ reason }) => reason === "ExitCode")?.message;
  if (code !== undefined) return { code: Number(code), stdout, stderr };
  if (/executable file not found|no such file or directory/.test(message))
    return { code: commandNotFound, stdout, stderr: stderr + message };
  throw new SandboxProviderError("unavailable", `A command could not be started in the pod: ${message}`);
}
