import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { pack } from "tar-stream";
import { inRoot } from "../../../../../../scripts/root.mjs";
import { buildImage } from "../../docker/__fixtures__/built-image.ts";
import type { DockerEngine } from "../../docker/docker-engine.ts";

const daemonImage = "sandbox-agent-test-daemon:latest";
export const boxImage = "sandbox-agent-test-box:latest";
export const sidecarImage = "sandbox-agent-test-sidecar:latest";

/** Our Dockerfile, on it that of examples/cloudflare, and what workerd wants beside each container. */
export async function buildBoxImages(engine: DockerEngine): Promise<void> {
  await buildImage(engine, daemonImage);
  const example = (path: string) => [path, readFileSync(inRoot("examples/cloudflare", path))] as const;
  await build(engine, boxImage, [example("Dockerfile"), example("container/box.mjs")]);
  const program = readFileSync(new URL("egress-sidecar.mjs", import.meta.url));
  const recipe = `FROM ${daemonImage}\nCOPY sidecar.mjs /sidecar.mjs\nENTRYPOINT ["node", "/sidecar.mjs"]\nCMD []\n`;
  await build(engine, sidecarImage, [
    ["Dockerfile", Buffer.from(recipe)],
    ["sidecar.mjs", program],
  ]);
}

async function build(engine: DockerEngine, name: string, files: readonly (readonly [string, Buffer])[]): Promise<void> {
  const archive = pack();
  for (const [path, content] of files) archive.entry({ name: path }, content);
  archive.finalize();
  const query = { t: name, buildargs: { SANDBOX_AGENT_IMAGE: daemonImage }, networkmode: "none", forcerm: true };
  const said = await text(await engine.stream("POST", "/build", { query, archive, isEndless: true }));
  if ((await engine.find("GET", `/images/${name}/json`)) === undefined) throw new Error(`not built: ${said}`);
}
