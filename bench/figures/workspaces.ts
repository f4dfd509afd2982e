import { execFileSync, spawn } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createLocalProvider } from "@sandbox-agent-ts/runtime";
import { compare, type Figure } from "../figure.ts";
import { temporaryDirectory } from "../support/child-server.ts";
import { EventCounter } from "../support/event-counter.ts";
import { call } from "../support/http-client.ts";
import { idleSession } from "../support/idle-session.ts";
import { type RuntimeServer, startRuntime } from "../support/runtime-server.ts";
import { sideBySide } from "../support/statistics.ts";
import { timeOf } from "../support/time-of.ts";
import { startSandbox } from "./sandboxes.ts";

const files = 10_000;
const filesPerDirectory = 100;
const fileBytes = 50_000;
/** Unchanged files are read anew as long as they might have changed in the moment they were looked at. */
const warmUps = 3;

export const workspaces: Figure = {
  name: "workspaces",
  work: "a workspace of 10,000 files, 500 MB: kept at the end of a turn that changed nothing, put into a new sandbox",
  measure: async ({ rounds }) => {
    const kept = new KeptWorkspaces();
    const runtime = await startRuntime({ onLog: (line) => kept.read(line) });
    const top = temporaryDirectory();
    try {
      const base = `${runtime.url}/v1/sessions/s`;
      await call(base, "POST", { agent: "mock" });
      const checkpoint = async () => {
        const next = kept.next();
        await call(`${base}/messages`, "POST", { message: "hello" });
        return next;
      };
      await checkpoint();
      const memory = { floor: runtime.peakMemory(), ours: 0 };
      const workspace = workspaceOf(runtime);
      fill(workspace);
      const repository = join(top, "repository");
      const git = (...args: string[]) => run("git", [`--git-dir=${repository}`, `--work-tree=${workspace}`, ...args]);
      execFileSync("git", ["init", "--quiet", "--bare", repository]);
      // Else git packs its objects in the background, beside what is measured and while the folder is removed.
      await git("config", "gc.auto", "0");
      await git("add", "--all");
      await git("-c", "user.name=bench", "-c", "user.email=bench@localhost", "commit", "--quiet", "--message=all");
      for (let n = 0; n < warmUps; n++) await checkpoint();
      const unchanged = await sideBySide(rounds * 4, () => timeOf(() => git("status", "--porcelain=v1")), checkpoint);

      const archive = join(top, "workspace.tar");
      execFileSync("tar", ["-cf", archive, "-C", workspace, "."]);
      const provider = createLocalProvider({ root: join(top, "sandboxes"), isolation: "none" });
      const restored = await sideBySide(
        rounds,
        () => timeOfUnpacking(provider, archive, join(top, "unpacked")),
        () => timeOfRestore(runtime, base),
      );
      memory.ours = runtime.peakMemory();
      return [
        compare("checkpoint of an unchanged one", "ms", "git status", unchanged, { atMost: 1.5 }),
        compare("restore", "ms", "tar -x and the start of a sandbox", restored, { atMost: 1.5 }),
        compare("most memory of the runtime", "MB", "before it", asMegabytes(memory)),
      ];
    } finally {
      await runtime.remove();
      rmSync(top, { recursive: true, force: true, maxRetries: 5 });
    }
  },
};

/** What a runtime says in its log of the time that keeping a workspace took. */
class KeptWorkspaces {
  #tell: (ms: number) => void = () => {};

  read(line: string): void {
    if (!line.includes('"the workspace is kept"')) return;
    this.#tell((JSON.parse(line) as { ms: number }).ms);
  }

  next(): Promise<number> {
    return new Promise((resolve) => {
      this.#tell = resolve;
    });
  }
}

function fill(workspace: string): void {
  for (let number = 0; number < files; number++) {
    const directory = join(workspace, "src", `part-${Math.floor(number / filesPerDirectory)}`);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, `file-${number}.ts`), randomFillSync(Buffer.allocUnsafe(fileBytes)));
  }
}

/** Of the only sandbox there is. */
function workspaceOf({ sandboxesDir }: RuntimeServer): string {
  const [only, ...others] = readdirSync(sandboxesDir);
  if (only === undefined || others.length > 0) throw new Error("There is not one sandbox.");
  return join(sandboxesDir, only, "workspace");
}

/** From a message to the first event of its turn, in a sandbox that is made for it. */
async function timeOfRestore(runtime: RuntimeServer, base: string): Promise<number> {
  await call(`${runtime.url}/api/sessions/s/unload`, "POST");
  const { eventCount } = await idleSession(base);
  const reader = await EventCounter.follow(`${base}/events/sse?offset=${eventCount}`);
  const time = await timeOf(async () => {
    await call(`${base}/messages`, "POST", { message: "hello" });
    await reader.reached(eventCount + 1);
  });
  reader.close();
  await idleSession(base);
  const restored = readdirSync(join(workspaceOf(runtime), "src"), { recursive: true }).length;
  if (restored < files) throw new Error(`Only ${restored} of ${files} files are back.`);
  return time;
}

async function timeOfUnpacking(
  provider: Parameters<typeof startSandbox>[0],
  archive: string,
  directory: string,
): Promise<number> {
  mkdirSync(directory);
  const unpacking = await timeOf(() => run("tar", ["-xf", archive, "-C", directory]));
  let end = async () => {};
  const starting = await timeOf(async () => {
    const sandbox = await startSandbox(provider);
    end = () => sandbox.destroy();
  });
  await end();
  rmSync(directory, { recursive: true });
  return unpacking + starting;
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${program} ended with ${code}.`);
}

function asMegabytes({ ours, floor }: { ours: number; floor: number }): { ours: number; floor: number } {
  return { ours: ours / 1e6, floor: floor / 1e6 };
}
