// Our Dockerfile, and sandboxes that have nothing of this machine's files: an engine may not see them.

import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { prepareCli } from "../../../../../scripts/setup.mjs";
import { startTestRuntime, turnsOf } from "../../__fixtures__/test-runtime.ts";
import { buildImage } from "./__fixtures__/built-image.ts";
import { dockerUnderTest } from "./__fixtures__/docker-under-test.ts";
import { baseImage, type TestEngine, testEngine } from "./__fixtures__/test-engine.ts";
import { cacheLabel } from "./cache-volume.ts";

const found = await testEngine();
const missing = "problem" in found ? ` (left out: ${found.problem})` : "";
const image = "sandbox-agent-test-image:latest";

interface Shown {
  readonly Config: { readonly User: string };
  readonly HostConfig: { readonly Binds: readonly string[] | null };
  readonly Mounts: readonly { readonly Type: string; readonly Destination: string; readonly RW: boolean }[];
}

describe.skipIf(missing !== "")(`the image of our Dockerfile${missing}`, { timeout: 240_000 }, () => {
  const { engine } = found as TestEngine;
  beforeAll(async () => {
    await prepareCli();
    await buildImage(engine, image);
  }, 400_000);

  const converse = async (programs: string) => {
    const docker = dockerUnderTest(found as TestEngine, { image, mounts: {}, programs });
    onTestFinished(() => docker.destroy());
    const { client, store } = await startTestRuntime({ makeProvider: docker.another });
    await client.createSession("s", { agent: "mock" });
    await client.postMessage("s", { message: "echo one" });
    const events = await turnsOf(client, "s", 1);
    expect(events.at(-1)).toMatchObject({ type: "turn.ended", data: { metadata: { reason: "completed" } } });
    const id = (await store.sandboxOf("s"))!.providerId;
    const shown = await engine.call<Shown>("GET", `/containers/${id}/json`);
    await client.deleteSession("s");
    expect(await docker.leftovers(id)).toEqual([]);
    return shown;
  };

  test("is not root's, and has the daemon inside: a session works with nothing mounted but its volume", async () => {
    const { Config, Mounts } = await converse("image");
    expect(Config.User).toBe("1000:1000");
    expect(Mounts.filter(({ Type }) => Type !== "tmpfs").map(({ Type, Destination }) => [Type, Destination])).toEqual([
      ["volume", "/sandbox"],
    ]);
  });

  test("takes the daemon and the programs from volumes that are filled once and cannot be written to", async () => {
    const volumes = async () => {
      const query = { filters: { label: [cacheLabel] } };
      const { Volumes } = await engine.call<{ Volumes: { Name: string }[] | null }>("GET", "/volumes", { query });
      return (Volumes ?? []).map(({ Name }) => Name).toSorted();
    };
    onTestFinished(async () => {
      for (const name of await volumes()) await engine.call("DELETE", `/volumes/${name}`);
    });
    const { Mounts } = await converse("volume");
    const made = await volumes();
    expect(Mounts.filter(({ Type }) => Type === "bind")).toEqual([]);
    expect(Mounts).toContainEqual(expect.objectContaining({ Destination: "/opt/sandbox-agent", RW: false }));
    expect(Mounts).toContainEqual(expect.objectContaining({ Destination: "/opt/sandbox-agent-programs", RW: false }));
    await converse("volume");
    expect(await volumes()).toEqual(made);
  });

  test("is asked for where the programs are to come from an image that has none", async () => {
    const docker = dockerUnderTest(found as TestEngine, { image: baseImage, programs: "image" });
    onTestFinished(() => docker.destroy());
    await expect(docker.provider.create({ labels: {}, bundle: "/" })).rejects.toThrow(/has no daemon.*our Dockerfile/);
  });
});
