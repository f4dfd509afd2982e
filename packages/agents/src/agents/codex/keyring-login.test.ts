import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { AgentHost } from "../../agent.ts";
import { silent } from "../../contract/harness-world.ts";
import { createSupervisor, type Supervisor } from "../../process/supervisor.ts";
import { hasKeyringLogin } from "./keyring-login.ts";

let root: string;
let supervisor: Supervisor;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "codex-keyring-"));
  supervisor = createSupervisor({ recordDir: null, owner: "keyring", log: silent });
});
afterEach(async () => {
  await supervisor.close();
  await rm(root, { recursive: true });
});

async function ask(config: string, exitCode: number, times = 1): Promise<{ answers: boolean[]; asked: string }> {
  await mkdir(join(root, ".codex"));
  await writeFile(join(root, ".codex", "config.toml"), config);
  const command = join(root, "codex");
  const script = `#!/bin/sh\necho "$@" >> ${root}/asked\necho sk-secret\nexit ${exitCode}\n`;
  await writeFile(command, script, { mode: 0o755 });
  const env = { HOME: root, PATH: process.env.PATH ?? "" };
  const host = { env, dataDir: root, log: silent, spawn: supervisor.spawn } as unknown as AgentHost;
  const answers: boolean[] = [];
  for (let time = 0; time < times; time += 1) answers.push(await hasKeyringLogin(host, command));
  return { answers, asked: await readFile(join(root, "asked"), "utf8").catch(() => "") };
}

test("where logins are kept in files Codex is not asked", async () => {
  expect(await ask('model = "x"\n# cli_auth_credentials_store = "keyring"\n', 0)).toEqual({
    answers: [false],
    asked: "",
  });
});

test.each([
  ["keyring", 0, true],
  ["auto", 0, true],
  ["keyring", 1, false],
])("with the store %s its exit code %i says %s", async (store, exitCode, expected) => {
  const { answers, asked } = await ask(`cli_auth_credentials_store = "${store}"\n`, exitCode);
  expect(answers).toEqual([expected]);
  expect(asked).toBe("login status\n");
});

test("it is asked once for many probes", async () => {
  const { answers, asked } = await ask('cli_auth_credentials_store = "keyring"\n', 0, 5);
  expect(answers).toEqual(new Array(5).fill(true));
  expect(asked).toBe("login status\n");
});
