import { randomUUID } from "node:crypto";
import type { SandboxOpts } from "e2b";
import { mayHaveHappened, retrying } from "../hosted/retrying.ts";
import { SandboxProviderError, type SandboxSpec } from "../sandbox-provider.ts";
import type { E2bClient, E2bSandbox } from "./e2b-client.ts";
import { E2bMachine } from "./e2b-machine.ts";
import type { E2bSettings } from "./e2b-settings.ts";
import { creationKey, metadataOf } from "./metadata.ts";

/** So long a creation may go on after nobody wants it any more: when it is answered, what it made can be ended for certain. */
const abandonedMs = 5_000;

interface CreateOptions {
  readonly client: E2bClient;
  readonly settings: E2bSettings;
  readonly signal?: AbortSignal | undefined;
}

/** A new sandbox at E2B. Where it fails or is aborted none is left there. */
export async function createMachine(spec: SandboxSpec, options: CreateOptions): Promise<E2bMachine> {
  const { client, settings, signal } = options;
  signal?.throwIfAborted();
  const creation = randomUUID();
  const abandoned = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const abandon = () => (timer = setTimeout(() => abandoned.abort(signal?.reason), abandonedMs));
  signal?.addEventListener("abort", abandon, { once: true });
  try {
    const access = await retrying(
      () =>
        client.create(spec.image ?? settings.template, {
          ...createOptions(spec, settings),
          metadata: metadataOf(spec.labels, creation),
          signal: abandoned.signal,
        }),
      { signal, creates: true, find: () => made(options, creation) },
    );
    signal?.throwIfAborted();
    await checkSize(spec, access, client);
    return new E2bMachine(access.sandboxId, options, access);
  } catch (error) {
    if (signal?.aborted || mayHaveHappened(error) || error instanceof WrongSize) await unmake(client, creation);
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abandon);
  }
}

function createOptions({ lifeMs, network }: SandboxSpec, settings: E2bSettings): SandboxOpts {
  const { onTimeout, suspend, publicTraffic } = settings;
  return {
    timeoutMs: lifeMs ?? settings.lifeMs,
    lifecycle: {
      onTimeout: onTimeout === "kill" ? "kill" : { action: "pause", keepMemory: suspend === "memory" },
      // Else whoever looks at its ports wakes it, and it is billed.
      autoResume: false,
    },
    allowInternetAccess: network !== "off",
    network: { allowPublicTraffic: publicTraffic },
  };
}

/** What was made although its answer was lost. */
async function made({ client, settings }: CreateOptions, creation: string): Promise<E2bSandbox | undefined> {
  for await (const { sandboxId } of client.list({ [creationKey]: creation }))
    return client.connect(sandboxId, settings.lifeMs);
  return undefined;
}

/** Whoever sweeps finds what is left where E2B does not answer now. */
async function unmake(client: E2bClient, creation: string): Promise<void> {
  try {
    for await (const { sandboxId } of client.list({ [creationKey]: creation })) await client.kill(sandboxId);
  } catch {
    // It has the labels of its session.
  }
}

class WrongSize extends SandboxProviderError {}

/** Processors and memory belong to the template. */
async function checkSize({ cpus = 0, memoryMiB = 0, image }: SandboxSpec, access: E2bSandbox, client: E2bClient) {
  if (cpus === 0 && memoryMiB === 0) return;
  const info = await client.find(access.sandboxId);
  if (info === undefined || (info.cpuCount >= cpus && info.memoryMB >= memoryMiB)) return;
  const has = `${info.cpuCount} processors and ${info.memoryMB} MiB of memory`;
  const detail = `The template ${image ?? info.name ?? info.templateId} of E2B has ${has}, which is less than is wished. Build one that has more and name it as the image, or wish for less.`;
  throw new WrongSize("unavailable", detail);
}
