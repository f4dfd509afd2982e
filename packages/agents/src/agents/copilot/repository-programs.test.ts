import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { AcpPlace } from "../../acp/acp-agent.ts";
import { ignoredLanguageServers, languageServerArgs, refuseRepositoryHooks } from "./repository-programs.ts";

interface Given {
  readonly files?: readonly string[];
  /** Relative to the root of the test. */
  readonly trusted?: string;
  readonly session?: object;
}

async function makePlace({ files = [], trusted, session = {} }: Given): Promise<AcpPlace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "copilot-programs-")));
  onTestFinished(() => rm(root, { recursive: true }));
  const directory = join(root, "repository", "package");
  await mkdir(directory, { recursive: true });
  await mkdir(join(root, "home", ".copilot"), { recursive: true });
  const config = JSON.stringify({ trusted_folders: trusted === undefined ? [] : [join(root, trusted)] });
  await writeFile(join(root, "home", ".copilot", "config.json"), `// Written by Copilot.\n${config}`);
  for (const file of files) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), "{}");
  }
  const modes = { agentMode: "build", permissionMode: "default" };
  return { env: { HOME: join(root, "home") }, session: { directory, ...modes, ...session } } as unknown as AcpPlace;
}

const git = "repository/.git/HEAD";
const hooks = "repository/.github/hooks/a.json";

test("hooks of the repository are refused, wherever in it the session works", async () => {
  const inRoot = await makePlace({ files: [git, hooks] });
  await expect(refuseRepositoryHooks(inRoot)).rejects.toMatchObject({
    code: "permission_denied",
    message: expect.stringContaining("repository/.github/hooks/a.json"),
  });
  const here = await makePlace({ files: ["repository/package/.github/hooks/a.json"] });
  await expect(refuseRepositoryHooks(here)).rejects.toMatchObject({ code: "permission_denied" });
  const planning = await makePlace({ files: [git, hooks], session: { permissionMode: "bypass", agentMode: "plan" } });
  await expect(refuseRepositoryHooks(planning)).rejects.toMatchObject({ code: "permission_denied" });
});

test("those are not that somebody trusts, that are no part of the repository, or where nothing is asked", async () => {
  const others: Given[] = [
    { files: [git, hooks], trusted: "repository" },
    { files: [git, hooks], trusted: "repository/package" },
    { files: [git, hooks], session: { permissionMode: "bypass" } },
    { files: [git, ".github/hooks/a.json"] },
    { files: [git, "repository/.github/hooks/README.md"] },
    {},
  ];
  for (const given of others) await expect(refuseRepositoryHooks(await makePlace(given))).resolves.toBeUndefined();
});

test("language servers that the repository names are left out and told, unless somebody trusts it", async () => {
  const files = [git, "repository/.github/lsp.json"];
  const untrusted = await makePlace({ files });
  expect(await languageServerArgs(untrusted)).toEqual(["--excluded-tools=lsp"]);
  expect((await ignoredLanguageServers(untrusted))?.asked[0]).toMatch(/language servers in .*lsp\.json$/);
  const trusted = await makePlace({ files, trusted: "repository" });
  expect([await languageServerArgs(trusted), await ignoredLanguageServers(trusted)]).toEqual([[], undefined]);
});
