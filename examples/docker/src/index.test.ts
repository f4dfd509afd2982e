import { execFile, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const image = process.env.DOCKER_IMAGE ?? "node:22-bookworm";
const containers = () =>
  spawnSync("docker", ["ps", "--all", "--quiet", "--filter", "label=session"]).stdout?.toString();
const isMissing = spawnSync("docker", ["image", "inspect", image]).status !== 0;
const missing = isMissing ? ` (left out: there is no Docker engine with the image ${image})` : "";

test.skipIf(isMissing)(
  `a session runs from its first word to its container's end${missing}`,
  async () => {
    const before = containers();
    const { stdout } = await run("npm", ["start"]);
    expect(stdout).toContain("allowed: Run the command echo hello from the sandbox");
    expect(stdout).toContain("It printed: hello from the sandbox");
    expect(stdout).toContain("+Written from outside.");
    expect(containers()).toBe(before);
  },
  120_000,
);
