import { constants } from "node:os";
import { normalize } from "node:path/posix";
import type { Box } from "../box/box.ts";
import { wrong } from "./refusal.ts";

const root = "/home/agent/sandbox";
const places = { home: `${root}/home`, workspace: `${root}/workspace`, data: `${root}/data` };
const maxLogBytes = 1024 * 1024;

export interface DaemonLook {
  readonly state: "none" | "running" | "ended";
  readonly exitCode?: number;
}

/** What `container/box.mjs` of the Worker's image does in a container: the daemon, its log, and files. */
export class Daemon {
  readonly #box: Box;
  #look: DaemonLook = { state: "none" };
  #log = Buffer.alloc(0);
  #starting = Promise.resolve();

  private constructor(box: Box) {
    this.#box = box;
  }

  static async in(box: Box): Promise<Daemon> {
    const made = `mkdir -p -m 700 ${Object.values(places).join(" ")}`;
    await box.run(["sh", "-c", `${made} && ln -s /opt/sandbox-agent-programs ${places.data}/programs`]);
    return new Daemon(box);
  }

  get look(): DaemonLook {
    return this.#look;
  }

  logs(maxBytes: number): string {
    return maxBytes === 0 ? "" : this.#log.subarray(-maxBytes).toString();
  }

  start(body: Buffer): Promise<void> {
    const { command, env = {} } = JSON.parse(body.toString()) as {
      command: string[];
      env?: Readonly<Record<string, string>>;
    };
    this.#starting = this.#starting.catch(() => {}).then(() => this.#start(command, env));
    return this.#starting;
  }

  async write(path: string, mode: string, data: Buffer): Promise<void> {
    const isBelow = path === normalize(path) && Object.values(places).some((place) => path.startsWith(`${place}/`));
    if (!isBelow) throw wrong(`${path} is not below ${Object.values(places).join(", ")}.`);
    await this.#box.write(path, data, Number.parseInt(mode, 8));
  }

  async #start(command: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
    if (this.#look.state === "running") return;
    const process = await this.#box.exec(["node", ...command], {
      cwd: places.workspace,
      env: { HOME: places.home, ...env },
    });
    this.#look = { state: "running" };
    process.closeStdin();
    void this.#keepLog(process.stderr);
    void drain(process.stdout);
    void process.exited.then(({ code, signal }) => {
      this.#look = { state: "ended", exitCode: code ?? 128 + constants.signals[signal!] };
    });
  }

  async #keepLog(stderr: AsyncIterable<Buffer>): Promise<void> {
    for await (const chunk of stderr) this.#log = Buffer.concat([this.#log, chunk]).subarray(-maxLogBytes);
  }
}

async function drain(stream: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of stream);
}
