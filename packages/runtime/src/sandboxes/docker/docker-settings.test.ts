/** Feared: an engine that is named where everybody names it, and not used. */
import { expect, test } from "vitest";
import { readDockerSettings } from "./docker-settings.ts";
import { defaultEngine } from "./engine-address.ts";

test("the engine is the one of the configuration, else of DOCKER_HOST, else the usual one", () => {
  const env = { DOCKER_HOST: "unix:///d" };
  expect(readDockerSettings({ host: "unix:///c" }, env).host).toBe("unix:///c");
  expect(readDockerSettings({}, env).host).toBe("unix:///d");
  expect(readDockerSettings({}, { DOCKER_HOST: "" }).host).toBe(defaultEngine);
});
