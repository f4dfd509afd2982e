import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { build } from "esbuild";
import { Log, LogLevel, Miniflare } from "miniflare";
import { inRoot } from "../../../../../../scripts/root.mjs";
import type { TestEngine } from "../../docker/__fixtures__/test-engine.ts";
import type { DockerEngine } from "../../docker/docker-engine.ts";
import { boxImage, buildBoxImages, sidecarImage } from "./box-images.ts";
import type { BehindTheWorker } from "./cloudflare-under-test.ts";

interface Listed {
  readonly Id: string;
  readonly Names: readonly string[];
}

interface ObjectIds {
  idFromName(name: string): { toString(): string };
}

export interface RealWorker extends BehindTheWorker {
  readonly settings: { readonly url: string; readonly key: string };
  /** Kill the container of a box, as a host that goes down does. */
  lose(id: string): Promise<void>;
}

/** The Worker of examples/cloudflare in workerd, with containers on a Docker engine in the place of Cloudflare's. */
export async function startRealWorker({ engine, host }: TestEngine): Promise<RealWorker> {
  await buildBoxImages(engine);
  const key = randomBytes(24).toString("hex");
  const miniflare = new Miniflare({
    ...{ host: "127.0.0.1", port: 0, cf: false, telemetry: { enabled: false }, log: new Log(LogLevel.ERROR) },
    name: `boxes-${randomBytes(4).toString("hex")}`,
    // It says there of every stream that was cut.
    handleRuntimeStdio: (...streams: Readable[]) => streams.forEach((stream) => void stream.resume()),
    modules: [{ type: "ESModule", path: "index.js", contents: await bundleOfWorker() }],
    compatibilityDate: "2026-04-01",
    bindings: { SANDBOX_AGENT_KEY: key },
    durableObjects: {
      BOX: { className: "Box", useSQLite: true, container: { imageName: boxImage } },
      REGISTRY: { className: "Registry", useSQLite: true },
    },
    containerEngine: { localDocker: { socketPath: host, containerEgressInterceptorImage: sidecarImage } },
  });
  const { origin: url } = await miniflare.ready;
  const boxes = (await miniflare.getDurableObjectNamespace("BOX")) as unknown as ObjectIds;

  const containers = (name: string) =>
    engine.call<Listed[]>("GET", "/containers/json", { query: { all: true, filters: { name: [name] } } });
  // workerd does not end those that it puts beside them.
  const containersOf = async (id: string) => {
    const found = await containers(boxes.idFromName(id).toString());
    return found.filter(({ Names }) => !Names.some((name) => name.endsWith("-proxy")));
  };
  return {
    settings: { url, key },
    async daemons(id) {
      const pids = await Promise.all((await containersOf(id)).map(({ Id }) => daemonsIn(engine, Id)));
      return pids.flat();
    },
    leftovers: async (id) => (await containersOf(id)).flatMap(({ Names }) => Names),
    async lose(id) {
      for (const { Id } of await containersOf(id)) await engine.call("POST", `/containers/${Id}/kill`);
    },
    async close() {
      await miniflare.dispose();
      for (const { Id } of await containers("workerd-")) {
        await engine.find("DELETE", `/containers/${Id}`, { query: { force: true, v: true } });
      }
      engine.close();
    },
  };
}

async function daemonsIn(engine: DockerEngine, container: string): Promise<number[]> {
  const query = { ps_args: "-eo pid,args" };
  const { Processes } = await engine.call<{ Processes: string[][] }>("GET", `/containers/${container}/top`, { query });
  const isDaemon = ([, args = ""]: string[]) => /^\S*node \S*sandbox-agent\.cjs/.test(args);
  return Processes.filter(isDaemon).map(([pid]) => Number(pid));
}

async function bundleOfWorker(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [inRoot("examples/cloudflare/src/index.ts")],
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    conditions: ["workerd", "worker", "browser"],
    mainFields: ["module", "main"],
    external: ["cloudflare:*", "node:*"],
  });
  return outputFiles[0]!.text;
}
