import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { inRoot } from "../root.mjs";
import { cliBundle } from "../setup.mjs";

const startLimitMs = 60_000;

/**
 * @typedef {object} StartOptions
 * @property {Record<string, string>} [env]
 * @property {readonly string[]} [flags]
 * @property {readonly string[]} [nodeFlags]
 * @property {readonly string[]} [within] a command that runs the daemon, as `unshare` does
 * @property {string} [dataDir]
 */

/** The place of one attack: a directory, the daemons that were started in it, and the end of all of it. */
export class World {
  directory = mkdtempSync(join(tmpdir(), "sandbox-agent-attack-"));
  dataDir = join(this.directory, "data");
  prompts = join(this.directory, "prompts");
  #mark = `ATTACK=${this.directory}`;
  /** @type {Set<number>} */
  #strays = new Set();

  /** A daemon as a user starts it, on loopback, with the hostile agent beside the built-in ones. */
  async start(/** @type {StartOptions} */ { env = {}, flags = [], nodeFlags = [], within = [], dataDir } = {}) {
    const agent = { id: "hostile", command: process.execPath, args: [inRoot("scripts/attack/hostile-agent.mjs")] };
    const server = ["server", "--port", "0", "--no-token", "--data-dir", dataDir ?? this.dataDir, ...flags];
    const [command, ...args] = [...within, process.execPath, ...nodeFlags, cliBundle, ...server];
    const child = spawn(/** @type {string} */ (command), args, {
      cwd: this.directory,
      env: {
        PATH: process.env.PATH,
        HOME: this.directory,
        ATTACK: this.directory,
        SANDBOX_AGENT_ACP_AGENTS: JSON.stringify([{ ...agent, env: { PROMPTS: this.prompts } }]),
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const daemon = new Daemon(child);
    await daemon.ready;
    return daemon;
  }

  path(/** @type {string[]} */ ...parts) {
    return join(this.directory, ...parts);
  }

  /** The folder of the one session there is. */
  get sessionFolder() {
    const sessions = join(this.dataDir, "sessions");
    const [name] = readdirSync(sessions).filter((entry) => !entry.startsWith("."));
    return join(sessions, /** @type {string} */ (name));
  }

  /** What the agent was asked, ever. */
  get asked() {
    return existsSync(this.prompts) ? readFileSync(this.prompts, "utf8").trim().split("\n") : [];
  }

  /** A process that may have nothing any more by which it could be found in the end. */
  remember(/** @type {number} */ pid) {
    this.#strays.add(pid);
    return pid;
  }

  async close() {
    const marked = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && environmentOf(pid).includes(this.#mark));
    for (const pid of [...marked.map(Number), ...this.#strays]) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // Gone already.
      }
    }
    rmSync(this.directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

class Daemon {
  url = "";
  log = "";

  constructor(/** @type {import("node:child_process").ChildProcess} */ child) {
    this.child = child;
    this.exited = once(child, "exit");
    child.stderr?.on("data", (data) => {
      this.log = (this.log + data).slice(-100_000);
    });
    const banner = new Promise((resolve) => {
      createInterface(/** @type {NodeJS.ReadableStream} */ (child.stdout)).on("line", (line) => {
        this.url ||= /http:\/\/[\w.:]+/.exec(line)?.[0] ?? "";
        if (this.url) resolve(undefined);
      });
    });
    this.ready = within(startLimitMs, "it did not start", Promise.race([banner, this.#failure()]));
  }

  async #failure() {
    await this.exited;
    throw new Error(`the daemon ended: ${this.log.slice(-500)}`);
  }

  get pid() {
    return /** @type {number} */ (this.child.pid);
  }

  get hasEnded() {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** Resident memory in MB. */
  get memory() {
    return (Number(readFileSync(`/proc/${this.pid}/statm`, "utf8").split(" ")[1]) * 4096) / 1_000_000;
  }

  async call(/** @type {string} */ method, /** @type {string} */ path, /** @type {unknown} */ body, headers = {}) {
    const response = await fetch(this.url + path, {
      method,
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    return { status: response.status, text, json: () => JSON.parse(text) };
  }

  async create(/** @type {string} */ id, more = {}) {
    const answer = await this.call("POST", `/v1/sessions/${id}`, { agent: "hostile", ...more });
    must(answer.status === 200 && answer.json().healthy, `create answers ${answer.status}: ${answer.text}`);
  }

  /** Send a message and wait for the end of its turn. Answers the text of its stream, cut at 10 MB. */
  async turn(/** @type {string} */ id, /** @type {string} */ message, limitMs = 45_000, headers = {}) {
    const response = await fetch(`${this.url}/v1/sessions/${id}/messages/stream`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ message }),
      signal: AbortSignal.timeout(limitMs),
    });
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of /** @type {AsyncIterable<Uint8Array>} */ (response.body)) {
      text = (text + decoder.decode(chunk, { stream: true })).slice(-10_000_000);
    }
    must(response.status === 200, `the message answers ${response.status}: ${text.slice(0, 300)}`);
    must(text.includes('"turn.ended"'), "the turn did not end");
    return text;
  }

  async mustBeHealthy(limitMs = 5_000) {
    const answer = await fetch(`${this.url}/v1/health`, { signal: AbortSignal.timeout(limitMs) }).catch((error) => {
      throw new Error(`health does not answer within ${limitMs} ms (${error.message}) ${this.log.slice(-300)}`);
    });
    must(answer.status === 200, `health answers ${answer.status}`);
    await answer.text();
  }

  /** A turn whose reader was cut off goes on. */
  async mustBecomeIdle(/** @type {string} */ id, limitMs = 45_000) {
    const deadline = Date.now() + limitMs;
    for (;;) {
      const { status } = (await this.call("GET", `/v1/sessions/${id}`)).json();
      if (status === "idle") return;
      must(Date.now() < deadline, `${id} is ${status}`);
      await sleep(50);
    }
  }

  async kill() {
    this.child.kill("SIGKILL");
    await this.exited;
  }

  async stop(limitMs = 20_000) {
    this.child.kill("SIGTERM");
    await within(limitMs, "it does not end on SIGTERM", this.exited);
  }
}

export function must(/** @type {unknown} */ condition, /** @type {string} */ otherwise) {
  if (!condition) throw new Error(otherwise);
}

/**
 * @template T
 * @param {number} ms
 * @param {string} otherwise
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
export async function within(ms, otherwise, promise) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${otherwise} within ${ms / 1000} s`)), ms);
  });
  try {
    return /** @type {T} */ (await Promise.race([promise, late]));
  } finally {
    clearTimeout(timer);
  }
}

/** Looks again and again until it is so. */
export async function eventually(/** @type {() => boolean} */ isSo, /** @type {string} */ otherwise, limitMs = 15_000) {
  const end = performance.now() + limitMs;
  while (!isSo()) {
    must(performance.now() < end, otherwise);
    await sleep(50);
  }
}

export function isAlive(/** @type {number} */ pid) {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

function environmentOf(/** @type {string} */ pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}
