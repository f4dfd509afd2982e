import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Sandbox } from "@sandbox-agent-ts/runtime";
import { DockerEngine } from "../../packages/runtime/src/sandboxes/docker/docker-engine.ts";
import { createDockerProvider } from "../../packages/runtime/src/sandboxes/docker/docker-provider.ts";
import { readDockerSettings } from "../../packages/runtime/src/sandboxes/docker/docker-settings.ts";
import { engineAddress } from "../../packages/runtime/src/sandboxes/docker/engine-address.ts";
import { portFetch } from "../../packages/runtime/src/sandboxes/node-fetch.ts";
import { compare, type Figure } from "../figure.ts";
import { temporaryDirectory } from "../support/child-server.ts";
import { sideBySide } from "../support/statistics.ts";
import { timeOf } from "../support/time-of.ts";

const host = process.env.DOCKER_HOST || "unix:///var/run/docker.sock";
const image = "sandbox-agent";
const token = "bench";
const port = "2468/tcp";
const unpauseGoalMs = 100;

export const dockerSandboxes: Figure = {
  name: "docker-sandboxes",
  work: "a container of the image of our Dockerfile: create → start → first 200 of /v1/health, and unpausing it",
  measure: async ({ rounds }) => {
    const engine = new DockerEngine(engineAddress(host));
    const missing = await whatIsMissing(engine);
    if (missing) {
      console.warn(`docker-sandboxes is left out: ${missing}`);
      return [];
    }
    const directory = temporaryDirectory();
    const provider = createDockerProvider({ directory, ...readDockerSettings({ host, image, programs: "image" }) });
    try {
      const make = async () => {
        const sandbox = await provider.create({
          labels: { of: "bench" },
          bundle: dirname(process.env.SANDBOX_AGENT_CLI!),
        });
        const { bundle, data } = sandbox.paths;
        const command = [
          join(bundle, "sandbox-agent.cjs"),
          "server",
          "--data-dir",
          data,
          "--no-ui",
          "--log-level",
          "error",
        ];
        await sandbox.start(command, { SANDBOX_AGENT_TOKEN: token });
        await untilWell(sandbox);
        return sandbox;
      };
      const cold = await sideBySide(
        rounds * 2,
        () => timeOfPlainRun(engine),
        async () => {
          let made: Sandbox | undefined;
          const ms = await timeOf(async () => {
            made = await make();
          });
          await made!.destroy();
          return ms;
        },
      );
      const sandbox = await make();
      const unpaused = await sideBySide(
        rounds * 10,
        () => timeOf(() => untilWell(sandbox)),
        async () => {
          await sandbox.suspend!();
          return timeOf(async () => {
            await sandbox.resume!();
            await untilWell(sandbox);
          });
        },
      );
      await sandbox.destroy();
      const added = { ours: unpaused.ours - unpaused.floor, floor: unpauseGoalMs };
      return [
        compare("cold container", "ms", "docker run of the same image", cold, { atMost: 1.3 }),
        compare("added by unpausing", "ms", "the goal", added, { atMost: 1 }),
      ];
    } finally {
      await provider.dispose();
      engine.close();
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

async function whatIsMissing(engine: DockerEngine): Promise<string | undefined> {
  try {
    const found = await engine.find("GET", `/images/${image}/json`);
    return found ? undefined : `build its image first: docker build -t ${image} .`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** What `docker run --detach --publish 127.0.0.1::2468` asks of the engine. */
async function timeOfPlainRun(engine: DockerEngine): Promise<number> {
  const start = performance.now();
  const body = {
    Image: image,
    Env: [`SANDBOX_AGENT_TOKEN=${token}`],
    ExposedPorts: { [port]: {} },
    HostConfig: { PortBindings: { [port]: [{ HostIp: "127.0.0.1", HostPort: "" }] } },
  };
  const { Id } = await engine.call<{ Id: string }>("POST", "/containers/create", { body });
  await engine.call("POST", `/containers/${Id}/start`);
  const { NetworkSettings } = await engine.call<{
    NetworkSettings: { Ports: Record<string, { HostPort: string }[]> };
  }>("GET", `/containers/${Id}/json`);
  // Node's own fetch may never settle when the engine's proxy resets its first connection.
  const there = portFetch(Number(NetworkSettings.Ports[port]![0]!.HostPort));
  await untilAnswers(() => there("http://127.0.0.1/v1/health", {}));
  const elapsed = performance.now() - start;
  await engine.call("DELETE", `/containers/${Id}`, { query: { force: true, v: true } });
  return elapsed;
}

async function untilWell(sandbox: Sandbox): Promise<void> {
  const { url, fetch: there = fetch } = await sandbox.endpoint();
  await untilAnswers(() => there(`${url}/v1/health`));
}

async function untilAnswers(ask: () => Promise<Response>): Promise<void> {
  for (;;) {
    const answer = await ask().catch(() => undefined);
    await answer?.arrayBuffer();
    if (answer?.ok) return;
    await sleep(2);
  }
}
