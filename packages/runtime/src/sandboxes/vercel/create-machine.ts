import { randomBytes } from "node:crypto";
import { daemonPort } from "../hosted/hosted-layout.ts";
import { isProviderError } from "../hosted/provider-error.ts";
import { mayHaveHappened, retrying } from "../hosted/retrying.ts";
import type { SandboxSpec } from "../sandbox-provider.ts";
import { tagsOf } from "./tags.ts";
import type { NewSandbox, VercelClient, VercelSandbox } from "./vercel-client.ts";
import { VercelMachine } from "./vercel-machine.ts";
import type { VercelSettings } from "./vercel-settings.ts";

/** So long a creation may go on after nobody wants it any more: when it is answered, what it made can be ended for certain. */
const abandonedMs = 3_000;
/** An image may have to be fetched first. */
const creationMs = 5 * 60_000;
const mebibytesPerCpu = 2048;
const snapshotPrefix = "snapshot:";

interface CreateOptions {
  readonly client: VercelClient;
  readonly settings: VercelSettings;
  readonly signal?: AbortSignal | undefined;
}

/** A new sandbox at Vercel. Its name is made here: what came of it is known whatever was answered. None is left where it fails. */
export async function createMachine(spec: SandboxSpec, options: CreateOptions): Promise<VercelMachine> {
  const { client, settings, signal } = options;
  signal?.throwIfAborted();
  const name = `sandbox-agent-${randomBytes(12).toString("hex")}`;
  const wished = { name, ...wishedOf(spec, settings) };
  try {
    const sandbox = await retrying(() => createOnce(client, wished, signal), {
      signal,
      creates: true,
      find: () => client.find(name),
    });
    signal?.throwIfAborted();
    return new VercelMachine(name, client, sandbox);
  } catch (error) {
    // Whoever sweeps finds by its label what is left where Vercel does not answer now.
    if (signal?.aborted || mayHaveHappened(error)) await client.destroy(name).catch(() => {});
    throw error;
  }
}

async function createOnce(
  client: VercelClient,
  wished: NewSandbox & { readonly name: string },
  signal: AbortSignal | undefined,
): Promise<VercelSandbox> {
  const limit = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const endIn = (ms: number, reason?: unknown) => timers.push(setTimeout(() => limit.abort(reason), ms));
  const abandon = () => endIn(abandonedMs, signal?.reason);
  endIn(creationMs, new DOMException("Vercel did not make the sandbox in time.", "TimeoutError"));
  signal?.addEventListener("abort", abandon, { once: true });
  try {
    return await client.create(wished, limit.signal);
  } catch (error) {
    const existing = isProviderError(error, "conflict") ? await client.find(wished.name) : undefined;
    if (existing === undefined) throw error;
    return existing;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener("abort", abandon);
  }
}

function wishedOf(spec: SandboxSpec, settings: VercelSettings): NewSandbox {
  const { image = settings.image } = spec;
  const { region } = settings;
  const vcpus = cpusOf(spec);
  return {
    ports: [daemonPort],
    timeout: spec.lifeMs ?? settings.lifeMs,
    tags: tagsOf(spec.labels),
    env: { ...spec.env },
    networkPolicy: spec.network === "off" ? "deny-all" : "allow-all",
    persistent: true,
    // Each is billed, and only the last is of use.
    keepLastSnapshots: { count: 1 },
    ...(image === undefined ? {} : madeOf(image)),
    ...(vcpus === undefined ? {} : { resources: { vcpus } }),
    ...(region === undefined ? {} : { region }),
  } as NewSandbox;
}

const madeOf = (image: string) =>
  image.startsWith(snapshotPrefix)
    ? { source: { type: "snapshot", snapshotId: image.slice(snapshotPrefix.length) } }
    : { image };

/** Processors bring their memory with them, and come in pairs. */
export function cpusOf({ cpus = 0, memoryMiB = 0 }: Pick<SandboxSpec, "cpus" | "memoryMiB">): number | undefined {
  if (cpus === 0 && memoryMiB === 0) return undefined;
  return 2 * Math.ceil(Math.max(cpus, memoryMiB / mebibytesPerCpu) / 2);
}
