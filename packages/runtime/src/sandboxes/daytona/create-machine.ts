import { randomUUID } from "node:crypto";
import { isProviderError } from "../hosted/provider-error.ts";
import { retrying } from "../hosted/retrying.ts";
import { SandboxProviderError, type SandboxSpec } from "../sandbox-provider.ts";
import type { DaytonaClient, DaytonaSandbox, NewDaytonaSandbox } from "./daytona-client.ts";
import { DaytonaMachine } from "./daytona-machine.ts";
import type { DaytonaSettings } from "./daytona-settings.ts";
import { minutesOf } from "./machine-state.ts";

/** An image is fetched and built where Daytona has not had it. */
const imageTimeoutMs = 15 * 60_000;
const snapshotTimeoutMs = 2 * 60_000;
/** So long a creation may go on after nobody wants it any more: when it is answered, what it made can be ended for certain. */
const abandonedMs = 2_000;

interface CreateOptions {
  readonly client: DaytonaClient;
  readonly settings: DaytonaSettings;
  readonly signal?: AbortSignal | undefined;
}

/** A new sandbox at Daytona. Where it fails or is aborted none is left there. */
export async function createMachine(spec: SandboxSpec, options: CreateOptions): Promise<DaytonaMachine> {
  const { client, signal } = options;
  signal?.throwIfAborted();
  // A name is there once, so that what was made although its answer was lost is found, and not made again.
  const name = `sandbox-agent-${randomUUID()}`;
  try {
    const wished = { ...wishedOf(spec, options.settings), name };
    const timeoutMs = "image" in wished ? imageTimeoutMs : snapshotTimeoutMs;
    const made = retrying(() => client.create(wished, timeoutMs), {
      signal,
      creates: true,
      find: () => running(client, name),
    });
    const sandbox = await unlessAborted(made, signal);
    checkSize(spec, sandbox);
    return new DaytonaMachine(client, sandbox.id, sandbox);
  } catch (error) {
    await unmake(client, name, error);
    throw error;
  }
}

function wishedOf(spec: SandboxSpec, settings: DaytonaSettings): NewDaytonaSandbox {
  const { image = settings.image } = spec;
  const wished = {
    labels: { ...spec.labels },
    language: "typescript",
    // 0 is for ever.
    autoStopInterval: settings.lifeMs === 0 ? 0 : minutesOf(spec.lifeMs ?? settings.lifeMs),
    public: false,
    ...(spec.network === "off" ? { networkBlockAll: true } : {}),
  };
  const [, snapshot] = /^snapshot:(.+)$/.exec(image ?? "") ?? [];
  if (image === undefined) return wished;
  if (snapshot !== undefined) return { ...wished, snapshot };
  return { ...wished, image, resources: resourcesOf(spec, settings) };
}

/** Whole processors and GiB. */
function resourcesOf({ cpus, memoryMiB }: SandboxSpec, { diskGiB }: DaytonaSettings) {
  return {
    ...(cpus === undefined ? {} : { cpu: Math.ceil(cpus) }),
    ...(memoryMiB === undefined ? {} : { memory: Math.ceil(memoryMiB / 1_024) }),
    ...(diskGiB === undefined ? {} : { disk: Math.ceil(diskGiB) }),
  };
}

/** Processors and memory belong to a snapshot. */
function checkSize({ cpus = 0, memoryMiB = 0, image }: SandboxSpec, { cpu, memory, snapshot }: DaytonaSandbox): void {
  if (cpu >= cpus && memory * 1_024 >= memoryMiB) return;
  const has = `${cpu} processors and ${memory} GiB of memory`;
  const detail = `The snapshot ${image ?? snapshot} of Daytona has ${has}, which is less than is wished. Name one that has more, or an image of a registry, or wish for less.`;
  throw new SandboxProviderError("unavailable", detail);
}

/** What was made although its answer was lost, when it runs. */
async function running(client: DaytonaClient, name: string): Promise<DaytonaSandbox | undefined> {
  const found = await client.find(name);
  if (found) await client.change(() => found.waitUntilStarted(snapshotTimeoutMs / 1_000));
  return found;
}

/** The SDK cannot be told to stop. What it makes is waited for, but not for long. */
async function unlessAborted<T>(made: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const settled = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const abort = () => (timer = setTimeout(() => reject(signal?.reason), abandonedMs));
    signal?.addEventListener("abort", abort, { once: true, signal: settled.signal });
  });
  try {
    const result = await Promise.race([made, aborted]);
    signal?.throwIfAborted();
    return result;
  } finally {
    settled.abort();
    clearTimeout(timer);
  }
}

/** Whoever sweeps finds what is left where Daytona does not answer now. */
async function unmake(client: DaytonaClient, name: string, error: unknown): Promise<void> {
  if (isProviderError(error, "unauthorized", "rate_limited")) return;
  try {
    const found = await client.find(name);
    if (found) await new DaytonaMachine(client, found.id).destroy();
  } catch {
    // It has the labels of its session.
  }
}
