/** Feared: a template that E2B builds otherwise by our program than by our command, and one in which no daemon starts. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { inRoot } from "../../../../scripts/root.mjs";
import { buildCli, cliBundle } from "../../../../scripts/setup.mjs";
import { startE2bService } from "../../../testing/src/providers/e2b/e2b-service.ts";
import type { ProviderService } from "../../../testing/src/providers/provider-service.ts";
import { untilHealthy } from "../sandboxes/contract/sandbox-bench.ts";
import { provider } from "../sandboxes/e2b/index.ts";
import { buildTemplate } from "./build-template.ts";
import { writeImageContext } from "./image-context.ts";
import { recipeFiles } from "./image-formats.ts";

const run = promisify(execFile);
const bundle = dirname(cliBundle);
const recipe = { agents: ["claude", "codex@0.1.0"], from: "node:22", tag: "mine:2" };

let service: ProviderService;
beforeAll(async () => {
  await buildCli();
  service = await startE2bService();
}, 300_000);
afterAll(() => service.close());

/** Below the packages that are installed, where a program finds the SDK. */
function temporary(): string {
  mkdirSync(inRoot("node_modules/.cache"), { recursive: true });
  const directory = mkdtempSync(inRoot("node_modules/.cache/e2b-template-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

const begun = () => service.requests.filter(({ method, path }) => method === "POST" && path.includes("/builds/"));

describe("a template of E2B", { timeout: 120_000 }, () => {
  test("is the same by our command and by our program, with the size that agents need", async () => {
    const said: string[] = [];
    const built = await buildTemplate({
      ...recipe,
      bundle,
      settings: service.settings,
      onLine: (line) => said.push(line),
    });
    expect(built).toEqual({ tag: "mine:2", id: expect.stringMatching(/^\w+$/) });
    expect(said.join("\n")).toContain("RUN sh /opt/sandbox-agent-install.sh claude codex@0.1.0");

    const directory = temporary();
    await writeImageContext(directory, { bundle, files: recipeFiles("e2b", recipe) });
    const env = { ...service.env, PATH: process.env.PATH, HOME: directory };
    await run(process.execPath, ["e2b-template.mjs"], { cwd: directory, env });
    const [first, second] = begun().map(({ body }) => JSON.parse(body) as { steps: unknown; fromImage: string });
    expect(second).toEqual(first);
    expect(first).toMatchObject({ fromImage: "node:22", steps: { length: 3 } });
    expect(service.requests.find(({ path }) => path === "/v3/templates")?.body).toContain('"memoryMB":4096');
  });

  test("has the daemon for its sandboxes, which need no upload of it", async () => {
    await buildTemplate({ agents: [], tag: "whole", bundle, settings: service.settings });
    const settings = { ...service.settings, template: "whole", programs: "image" };
    const opened = await provider.create({ directory: join(temporary(), "provider"), settings });
    const sandbox = await opened.create({ labels: {}, bundle: "/nowhere" });
    const daemon = [`${sandbox.paths.bundle}/sandbox-agent.cjs`, "server", "--data-dir", sandbox.paths.data, "--no-ui"];
    await sandbox.start(daemon, { SANDBOX_AGENT_TOKEN: "token" });
    await untilHealthy(sandbox);
    await sandbox.destroy();
  });

  test("that E2B does not build is told with the reason", async () => {
    const wrong = { agents: [], bundle, settings: { ...service.settings, apiKey: "e2b_wrong" } };
    await expect(buildTemplate(wrong)).rejects.toThrow(/E2B does not take the API key/);
    service.faults.plan({ call: "build", fault: { kind: "status", status: 400 } });
    const refused = { agents: [], bundle, settings: service.settings };
    await expect(buildTemplate(refused)).rejects.toMatchObject({
      name: "SandboxProviderError",
      message: expect.stringMatching(/^E2B: /),
    });
  });
});
