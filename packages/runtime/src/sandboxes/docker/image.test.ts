import { expect, test } from "vitest";
import type { DockerEngine } from "./docker-engine.ts";
import { readDockerSettings } from "./docker-settings.ts";
import { findImage } from "./image.ts";

const empty = { find: async () => undefined } as unknown as DockerEngine;

test("our own image, which no registry has, is to be built, and others may be pulled", async () => {
  const sentence = (name: string) => findImage(empty, name, "mount").then(String, ({ message }) => message as string);
  const ours = await sentence(readDockerSettings({}).image);
  expect(ours).toMatch(/Make it with `sandbox-agent image build --tag sandbox-agent`.*--docker-image/);
  expect(ours).not.toContain("pull");
  expect(await sentence("node:20-slim")).toMatch(/`docker pull node:20-slim`, or build ours/);
});
