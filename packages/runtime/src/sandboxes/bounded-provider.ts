import {
  type Sandbox,
  type SandboxProvider,
  SandboxProviderError,
  type SandboxSpec,
  type SandboxSummary,
} from "./sandbox-provider.ts";

export interface ProviderLimits {
  /** How long any other question to a provider may take. */
  readonly providerTimeoutMs: number;
  /** How long a sandbox may take to be made, or files to be put into it: an image may have to be fetched before. */
  readonly createTimeoutMs: number;
}

/** The same provider, which rejects with a `timeout` instead of never answering. What it answers later is let go of. */
export function boundedProvider(provider: SandboxProvider, limits: ProviderLimits): SandboxProvider {
  const { providerTimeoutMs, createTimeoutMs } = limits;
  const within = <T>(what: string, answer: Promise<T>, ms = providerTimeoutMs) =>
    bounded(answer, ms, `The provider ${provider.name} did not answer within ${ms} ms when it was to ${what}.`);
  const wrap = (sandbox: Sandbox) => boundedSandbox(sandbox, within, createTimeoutMs);

  async function create(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    const limit = new AbortController();
    const made = provider.create(spec, signal ? AbortSignal.any([signal, limit.signal]) : limit.signal);
    try {
      return wrap(await within("make a sandbox", made, createTimeoutMs));
    } catch (error) {
      if (isTimeout(error)) {
        limit.abort(error);
        made.then((late) => late.destroy()).catch(() => {});
      }
      throw error;
    }
  }

  async function* list(label: { readonly key: string; readonly value: string }): AsyncGenerator<SandboxSummary> {
    const listing = provider.list(label)[Symbol.asyncIterator]();
    try {
      for (;;) {
        const step = await within("list sandboxes", Promise.resolve(listing.next()));
        if (step.done) return;
        yield step.value;
      }
    } finally {
      void Promise.resolve(listing.return?.()).catch(() => {});
    }
  }

  const { watch } = provider;
  return {
    name: provider.name,
    can: provider.can,
    hasPrograms: provider.hasPrograms ?? false,
    check: () => within("check itself", provider.check()),
    create,
    attach: async (id, signal) => {
      const sandbox = await within("find a sandbox", provider.attach(id, signal));
      return sandbox && wrap(sandbox);
    },
    list,
    ...(watch ? { watch: (listener) => watch.call(provider, listener) } : {}),
    dispose: () => within("let go of its connections", provider.dispose()),
  };
}

type Within = <T>(what: string, answer: Promise<T>, ms?: number) => Promise<T>;

function boundedSandbox(sandbox: Sandbox, within: Within, createTimeoutMs: number): Sandbox {
  const { suspend, resume } = sandbox;
  return {
    id: sandbox.id,
    paths: sandbox.paths,
    status: () => within("say how a sandbox is", sandbox.status()),
    endpoint: () => within("say where a sandbox is reached", sandbox.endpoint()),
    start: (command, env) => within("start a daemon", sandbox.start(command, env)),
    write: (files) => within("write files", sandbox.write(files), createTimeoutMs),
    extend: (lifeMs) => within("make a life longer", sandbox.extend(lifeMs)),
    ...(suspend ? { suspend: () => within("suspend a sandbox", suspend.call(sandbox)) } : {}),
    ...(resume ? { resume: () => within("resume a sandbox", resume.call(sandbox)) } : {}),
    logs: (maxBytes) => within("read a daemon's last words", sandbox.logs(maxBytes)),
    destroy: () => within("end a sandbox", sandbox.destroy()),
  };
}

async function bounded<T>(answer: Promise<T>, ms: number, sentence: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SandboxProviderError("timeout", sentence)), ms);
  });
  try {
    return await Promise.race([answer, limit]);
  } finally {
    clearTimeout(timer);
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof SandboxProviderError && error.code === "timeout";
}
