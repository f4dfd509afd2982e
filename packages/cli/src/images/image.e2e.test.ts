/** Feared: an image that can only be built in a clone, that has other agents than were asked for, or in which no session works. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { loadAgents, type NpmPackage, type NpmSource } from "@sandbox-agent-ts/agents";
import { NpmRegistry } from "@sandbox-agent-ts/testing";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { buildCli, cliBundle } from "../../../../scripts/setup.mjs";
import { ensureNodeImage } from "../../../runtime/src/sandboxes/docker/__fixtures__/built-image.ts";
import { type TestEngine, testEngine } from "../../../runtime/src/sandboxes/docker/__fixtures__/test-engine.ts";
import { CliHome } from "../__fixtures__/cli-home.ts";
import { adminKey, RuntimeProcess } from "../runtime/__fixtures__/runtime-process.ts";

const found = await testEngine();
const missing = "problem" in found ? ` (left out: ${found.problem})` : "";
const tag = "sandbox-agent-test-built:1";
const version = "0.0.9";

/** An agent whose program is one package, whichever it is. */
const platform = `${process.platform}-${process.arch}` as keyof NpmSource["packages"];
const [agent] = (await loadAgents()).flatMap(({ id, program }) => {
  if (program?.source.kind !== "npm" || program.name !== id) return [];
  const source: NpmPackage | undefined = program.source.packages[platform];
  return source ? [{ id, source }] : [];
});

describe("image template", () => {
  test("prints the Dockerfile with the agents that were asked for", async () => {
    const home = await CliHome.create();
    const { code, stdout } = await home.run(["image", "template", "--agents", `${agent!.id}@${version}`]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`ARG AGENTS="${agent!.id}@${version}"`)]);
    const none = await home.run(["image", "template", "--agents", "nobody"]);
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('There is no agent "nobody"')]);
    const local = await home.run(["image", "template", "--provider", "local"]);
    expect([local.code, local.stderr]).toEqual([1, expect.stringContaining("not made of images")]);
  });

  test("writes all that it needs into a directory, from which the installation runs", async () => {
    const home = await CliHome.create();
    const flags = ["--provider", "e2b", "--out", "template"];
    expect(await home.json("image", "template", ...flags, "--json")).toMatchObject({ provider: "e2b" });
    const directory = join(home.path, "template");
    expect(readdirSync(directory).toSorted()).toEqual(["e2b-template.mjs", "install.sh", "sandbox-agent"]);
    const root = join(home.path, "root");
    execFileSync("sh", ["install.sh"], { cwd: directory, env: { ...home.env, DESTDIR: root } });
    const installed = join(root, "opt", "sandbox-agent");
    expect(readdirSync(installed)).toContain("sandbox-agent.cjs");
    expect(existsSync(join(root, "opt", "sandbox-agent-install"))).toBe(false);
    expect(readFileSync(join(root, "usr", "local", "bin", "sandbox-agent"), "utf8")).toContain("exec node /opt/");
  });

  test("of Vercel is a program, which this one does not run", async () => {
    const home = await CliHome.create();
    const { code, stderr } = await home.run(["image", "build", "--provider", "vercel"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("image template --provider vercel --out DIRECTORY")]);
  });
});

function bundleBytes(): number {
  const dist = dirname(cliBundle);
  const entries = ["parts", "ui"].flatMap((name) =>
    readdirSync(join(dist, name), { recursive: true, withFileTypes: true }),
  );
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return [cliBundle, ...files].reduce((sum, path) => sum + statSync(path).size, 0);
}

describe.skipIf(missing !== "")(`image build${missing}`, { timeout: 400_000 }, () => {
  const { engine, host } = found as TestEngine;
  let from: string;
  beforeAll(async () => {
    await buildCli();
    from = await ensureNodeImage(engine);
    return async () => {
      await engine.find("DELETE", `/images/${tag}`, { query: { force: true } });
    };
  }, 400_000);

  /** What a command in the image prints. */
  async function inImage(command: string): Promise<string> {
    const body = {
      Image: tag,
      Entrypoint: ["sh", "-c"],
      Cmd: [command],
      Tty: true,
      HostConfig: { NetworkMode: "none" },
    };
    const { Id } = await engine.call<{ Id: string }>("POST", "/containers/create", { body });
    onTestFinished(() => engine.call("DELETE", `/containers/${Id}`, { query: { force: true, v: true } }));
    await engine.call("POST", `/containers/${Id}/start`);
    await engine.call("POST", `/containers/${Id}/wait`);
    return text(await engine.stream("GET", `/containers/${Id}/logs`, { query: { stdout: true, stderr: true } }));
  }

  async function registry(): Promise<NpmRegistry> {
    const started = await NpmRegistry.start();
    onTestFinished(() => started.close());
    const script = `#!/bin/sh\necho ${version}\n`;
    const { name, binary, version: named = "{version}" } = agent!.source;
    await started.publish({ name, version: named.replace("{version}", version), files: { [binary]: script } });
    return started;
  }

  test("makes an image with the agent in the version that was asked for, in which a session works", async () => {
    const home = await CliHome.create();
    home.env.SANDBOX_AGENT_NPM_REGISTRY = (await registry()).url;
    const place = ["--docker-host", host, "--build-network", "host", "--from", from, "--tag", tag];
    const built = await home.json<{ tag: string; sizeBytes: number }>(
      ...["image", "build", "--agents", `${agent!.id}@${version}`, ...place, "--json"],
    );
    expect(built).toMatchObject({ provider: "docker", tag, id: expect.stringMatching(/^sha256:/) });
    const base = await engine.call<{ Size: number }>("GET", `/images/${from}/json`);
    // The daemon, the inspector and the small program, once.
    expect(built.sizeBytes - base.Size).toBeLessThan(bundleBytes() + 1_000_000);

    const docker = ["--provider", "docker", "--docker-host", host, "--docker-programs", "image", "--docker-image", tag];
    const runtime = await RuntimeProcess.start(home, { flags: docker });
    const session = `built-${process.pid}`;
    const client = ["--endpoint", runtime.url, "--token", adminKey];
    const said = await home.run(["run", "--session", session, "--agent", "mock", ...client, "echo one"]);
    expect(said).toMatchObject({ code: 0, stdout: "one\n" });
    expect((await home.run(["sessions", "delete", session, ...client])).code).toBe(0);
    await runtime.end("SIGTERM");

    expect(await inImage(`echo /opt/sandbox-agent-programs/${agent!.id}/*`)).toContain(`/${agent!.id}/${version}`);
  });

  test("says what the builder says when it fails", async () => {
    const home = await CliHome.create();
    home.env.SANDBOX_AGENT_NPM_REGISTRY = (await registry()).url;
    const flags = ["--docker-host", host, "--from", from, "--tag", `${tag}-never`, "--build-network", "host"];
    const { code, stdout, stderr } = await home.run(["image", "build", "--agents", `${agent!.id}@0.0.1`, ...flags]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`${agent!.id}@0.0.1 could not be installed`);
    expect(stderr).toContain("The image could not be built: ");
  });

  test("without an engine it says so", async () => {
    const home = await CliHome.create();
    const flags = ["--docker-host", "unix:///nowhere/docker.sock"];
    const { code, stderr } = await home.run(["image", "build", ...flags]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("does not answer")]);
  });
});
