import { randomUUID } from "node:crypto";
import { portFetch } from "../../node-fetch.ts";
import {
  type Sandbox,
  type SandboxEndpoint,
  type SandboxFile,
  type SandboxProvider,
  SandboxProviderError,
  type SandboxSpec,
} from "../../sandbox-provider.ts";
import type { HostedMachine, MachineLife, RunResult } from "../hosted-machine.ts";
import { HostedSandbox } from "../hosted-sandbox.ts";
import type { HostedPrograms } from "../hosted-settings.ts";
import { retrying } from "../retrying.ts";
import type { Machine, MadeUpService } from "./made-up-service.ts";

const root = "/home/user/sandbox-agent";
const creationKey = "creation";

/** A provider on a service in this process, without an SDK between the two. */
export function createMadeUpProvider(
  service: MadeUpService,
  directory: string,
  programs: HostedPrograms = "upload",
): SandboxProvider {
  const { suspend, extend } = service.kind;
  const inMachine = (id: string) => new MadeUpMachine(id, service);

  async function create(spec: SandboxSpec, signal?: AbortSignal): Promise<Sandbox> {
    if (spec.network === "off") throw new SandboxProviderError("unavailable", "The service always has a network.");
    const creation = randomUUID();
    const labels = { ...spec.labels, [creationKey]: creation };
    const make = () => service.call("create", labels, () => service.create({ ...spec, labels }), signal);
    const find = async () => [...service.machines.values()].find((it) => it.labels[creationKey] === creation);
    try {
      const { id } = await retrying(make, { signal, creates: true, find });
      return await HostedSandbox.create(inMachine(id), { spec, root, programs, directory, signal });
    } catch (error) {
      const made = await find();
      if (made) await service.end(made.id, "request");
      throw error;
    }
  }

  return {
    name: "made-up",
    can: { suspend, extend, snapshot: false, network: false, isolation: true },
    check: async () => [],
    create,
    async attach(id) {
      const { state } = await inMachine(id).status();
      return state === "gone" ? undefined : HostedSandbox.of(inMachine(id), { root });
    },
    async *list({ key, value }) {
      await retrying(() => service.call("list", { key, value }, async () => {}));
      for (const { id, labels, createdAt } of service.machines.values())
        if (labels[key] === value) yield { id, labels, createdAt };
    },
    dispose: async () => {},
  };
}

class MadeUpMachine implements HostedMachine {
  readonly id: string;
  readonly suspend?: () => Promise<void>;
  readonly resume?: () => Promise<void>;
  readonly #service: MadeUpService;

  constructor(id: string, service: MadeUpService) {
    this.id = id;
    this.#service = service;
    if (service.kind.suspend === false) return;
    this.suspend = () => this.#call("suspend", (machine) => service.suspend(machine));
    this.resume = () => this.#call("resume", (machine) => service.resume(machine));
  }

  status(): Promise<MachineLife> {
    return retrying(() =>
      this.#service.call("get", this.id, async () => {
        const machine = this.#service.machines.get(this.id);
        if (!machine) return { state: "gone", why: "The service ended it." };
        if (machine.box.state !== "running") return { state: "suspended" };
        return { state: "running", expiresAt: this.#service.kind.extend ? machine.box.deadline : undefined };
      }),
    );
  }

  run(command: readonly string[]): Promise<RunResult> {
    return this.#call("run", ({ box }) => box.run(command));
  }

  launch(command: readonly string[]): Promise<void> {
    return this.#call("launch", async ({ box }) => void (await box.exec(command, { detached: true })));
  }

  write(files: readonly SandboxFile[]): Promise<void> {
    return this.#call("write", async ({ box }) => {
      for (const { path, data, mode } of files) await box.write(path, data, mode);
    });
  }

  /** Behind a proxy that lets in who knows where the machine is now. */
  async endpoint(port: number): Promise<SandboxEndpoint> {
    const { box, pass } = await this.#call("endpoint", async (machine) => machine);
    const inner = portFetch(await box.publish(port));
    const service = this.#service;
    return {
      url: "http://made-up.invalid",
      headers: { "x-pass": pass },
      async fetch(input, init) {
        const request = new Request(input, init);
        const fault = service.portFault(box.id);
        const machine = service.machines.get(box.id);
        if (machine?.box.state !== "running") return Response.json({ message: "It does not run." }, { status: 502 });
        if (fault?.kind === "login-page" || machine.pass !== request.headers.get("x-pass"))
          return new Response("<title>Sign in</title>", { headers: { "content-type": "text/html" } });
        if (fault) return Response.json({ message: "It does not work at the moment." }, { status: 503 });
        return inner(request);
      },
    };
  }

  async extend(lifeMs: number): Promise<void> {
    if (this.#service.kind.extend) await this.#call("extend", async (machine) => this.#service.extend(machine, lifeMs));
  }

  destroy(): Promise<void> {
    return retrying(() => this.#service.call("destroy", this.id, () => this.#service.end(this.id, "request")));
  }

  #call<T>(name: string, work: (machine: Machine) => Promise<T>): Promise<T> {
    const wakes = name === "resume" || name === "suspend";
    return retrying(() =>
      this.#service.call(name, this.id, async () => {
        const machine = this.#service.find(this.id);
        if (!wakes && machine.box.state !== "running")
          throw new SandboxProviderError("stopped", `The machine ${this.id} is suspended.`);
        return work(machine);
      }),
    );
  }
}
