import { randomUUID } from "node:crypto";
import { daemonPort } from "../hosted/hosted-layout.ts";
import { mayHaveHappened, retrying } from "../hosted/retrying.ts";
import { SandboxProviderError, type SandboxSpec } from "../sandbox-provider.ts";
import { prepareUser } from "./as-user.ts";
import { tagsOf } from "./labels.ts";
import type { ModalClient, SandboxCreateParams } from "./modal-client.ts";
import { ModalMachine, wholeSeconds } from "./modal-machine.ts";
import type { ModalSettings } from "./modal-settings.ts";

/** So long a creation may go on after nobody wants it any more: when it is answered, what it made can be ended for certain. */
const graceMs = 3_000;

interface CreateOptions {
  readonly client: ModalClient;
  readonly settings: ModalSettings;
  readonly signal?: AbortSignal | undefined;
}

/** A new sandbox at Modal. Its name is its own, so that it is found where its creation was not answered, and made only once. */
export async function createMachine(spec: SandboxSpec, options: CreateOptions): Promise<ModalMachine> {
  const { client, settings, signal } = options;
  signal?.throwIfAborted();
  const name = `sandbox-agent-${randomUUID()}`;
  const find = () => client.named(name);
  const grace = graceAfter(signal);
  try {
    const params = paramsOf(name, spec, settings);
    const sandbox = await retrying(() => client.create(spec.image ?? settings.image, params, grace.signal), {
      signal,
      creates: true,
      find,
    });
    const machine = new ModalMachine(sandbox.sandboxId, { client, settings }, sandbox);
    signal?.throwIfAborted();
    await prepare(machine, settings);
    return machine;
  } catch (error) {
    // Whoever sweeps finds by its labels what cannot be ended now.
    if (signal?.aborted || mayHaveHappened(error) || error instanceof Unprepared)
      await find()
        .then(
          (made) => made?.terminate(),
          () => {},
        )
        .catch(() => {});
    throw error;
  } finally {
    grace.end();
  }
}

function paramsOf(name: string, spec: SandboxSpec, settings: ModalSettings): SandboxCreateParams {
  const { cpus, memoryMiB, network } = spec;
  return {
    name,
    tags: tagsOf(spec.labels),
    // It cannot be made longer, as others can while a turn runs.
    timeoutMs: wholeSeconds(settings.lifeMs),
    ...(cpus === undefined ? {} : { cpu: cpus, cpuLimit: cpus }),
    ...(memoryMiB === undefined ? {} : { memoryMiB, memoryLimitMiB: memoryMiB }),
    // Nothing may be reached; `blockNetwork` would keep the runtime out, too.
    ...(network === "off" ? { outboundCidrAllowlist: [] } : {}),
    ...(settings.access === "tunnel" ? { encryptedPorts: [daemonPort] } : {}),
  };
}

async function prepare(machine: ModalMachine, { user, root }: ModalSettings): Promise<void> {
  const { code, stderr } = await machine.runAsRoot(prepareUser(user, root));
  if (code === 0) return;
  const why = stderr.trim() || `exit code ${code}`;
  throw new Unprepared("failed", `${root} cannot be made in the sandbox: ${why}. Set root, user or image to others.`);
}

class Unprepared extends SandboxProviderError {}

/** A signal that is aborted some time after this one. */
function graceAfter(signal: AbortSignal | undefined) {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const begin = () => {
    timer = setTimeout(() => late.abort(signal?.reason), graceMs);
  };
  signal?.addEventListener("abort", begin, { once: true });
  return {
    signal: late.signal,
    end() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", begin);
    },
  };
}
