// Our Dockerfile, and sandboxes that have nothing of this machine's files: an engine may not see them.

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ProvokingMessage, scriptOf } from "@sandbox-agent-ts/agents/contract";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { prepareCli } from "../../../../../scripts/setup.mjs";
import { agentsUnderTest } from "../../../../daemon/src/agents-e2e/__fixtures__/scenarios.ts";
import { startTestRuntime, type TestRuntimeOptions, turnsOf } from "../../__fixtures__/test-runtime.ts";
import { buildImage } from "./__fixtures__/built-image.ts";
import { dockerUnderTest } from "./__fixtures__/docker-under-test.ts";
import { baseImage, type TestEngine, testEngine } from "./__fixtures__/test-engine.ts";
import { throughGateway } from "./__fixtures__/through-gateway.ts";
import { cacheLabel } from "./cache-volume.ts";

const found = await testEngine();
const missing = "problem" in found ? ` (left out: ${found.problem})` : "";
const image = "sandbox-agent-test-image:latest";
const agent = (await agentsUnderTest()).find(({ adapter }) => adapter.id === "qwen")!;

interface Shown {
  readonly Config: { readonly User: string };
  readonly HostConfig: { readonly Binds: readonly string[] | null };
  readonly Mounts: readonly { readonly Type: string; readonly Destination: string; readonly RW: boolean }[];
}

describe.skipIf(missing !== "")(`the image of our Dockerfile${missing}`, { timeout: 240_000 }, () => {
  const { engine } = found as TestEngine;
  beforeAll(async () => {
    await prepareCli();
    await buildImage(engine, image, [agent.adapter]);
  }, 400_000);

  const converse = async (programs: string, [id, message] = ["mock", "echo one"], options: TestRuntimeOptions = {}) => {
    const docker = dockerUnderTest(found as TestEngine, { image, mounts: {}, programs });
    onTestFinished(() => docker.destroy());
    const { client, store } = await startTestRuntime({ ...options, makeProvider: docker.another });
    await client.createSession("s", { agent: id });
    await client.postMessage("s", { message });
    const events = await turnsOf(client, "s", 1);
    expect(events.at(-1)).toMatchObject({ type: "turn.ended", data: { metadata: { reason: "completed" } } });
    const { providerId } = (await store.sandboxOf("s"))!;
    const shown = await engine.call<Shown>("GET", `/containers/${providerId}/json`);
    await client.deleteSession("s");
    expect(await docker.leftovers(providerId)).toEqual([]);
    return shown;
  };

  test("is not root's, and has the daemon inside: a session works with nothing mounted but its volume", async () => {
    const { Config, Mounts } = await converse("image");
    expect(Config.User).toBe("1000:1000");
    expect(Mounts.filter(({ Type }) => Type !== "tmpfs").map(({ Type, Destination }) => [Type, Destination])).toEqual([
      ["volume", "/sandbox"],
    ]);
  });

  test("has the agents that it was built with: one works with nothing of this machine, on which it is not installed", async () => {
    const top = mkdtempSync(join(tmpdir(), "docker-image-"));
    onTestFinished(() => rmSync(top, { recursive: true, force: true }));
    const prepared = (await agent.scenario.prepare?.({ home: top, script: scriptOf(agent.scenario) })) ?? {};
    onTestFinished(() => prepared.dispose?.());
    const agentEnv = await throughGateway(found as TestEngine, prepared.env ?? {});
    const { message } = agent.scenario.provoke.text as ProvokingMessage;
    const { Mounts } = await converse("image", [agent.adapter.id, message], { agentEnv, top });
    expect(Mounts.filter(({ Type }) => Type !== "tmpfs").map(({ Destination }) => Destination)).toEqual(["/sandbox"]);
    expect(prepared.model?.requests.length).toBeGreaterThan(0);
    expect(existsSync(join(top, "agents", "programs", agent.adapter.id))).toBe(false);
  });

  test("says of an agent that it was built without what to do", async () => {
    const docker = dockerUnderTest(found as TestEngine, { image, mounts: {}, programs: "image" });
    onTestFinished(() => docker.destroy());
    const { client } = await startTestRuntime({ makeProvider: docker.another });
    await client.createSession("s", { agent: "gemini" });
    await client.postMessage("s", { message: "hello" });
    const message = expect.stringMatching(
      /image .* has no program of "gemini".*image build --provider docker --agents gemini/,
    );
    expect((await turnsOf(client, "s", 1)).at(-1)).toMatchObject({ data: { metadata: { reason: "error", message } } });
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
    await expect(docker.provider.create({ labels: {}, bundle: "/" })).rejects.toThrow(
      /has no daemon.*sandbox-agent image build/,
    );
  });
});
