/** Feared: a profile is passed over in silence, forgotten at a restart, or left behind. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SessionInfo } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { codeOf, ofType, session } from "../__fixtures__/client.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";

const secret = "secret-of-the-profile";
const profile = {
  systemPrompt: "You keep the lamps.",
  skills: { beacon: { files: { "SKILL.md": "---\nname: beacon\ndescription: Beacons\n---\n" } } },
  commands: { lamp: { description: "Light a lamp", prompt: "echo Light the $1 lamp." } },
  secrets: { LAMP_KEY: secret },
  files: { "keeper/log.txt": "The log." },
};

function filesWith(directory: string, text: string): string[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.filter((file) => readFileSync(file, "utf8").includes(text));
}

test("a profile is used, its losses are told, and it is the same after a restart", async () => {
  const [dataDir, directory] = [temporaryDirectory(), temporaryDirectory()];
  const first = await startTestDaemon({ dataDir });
  const created = await first.client.call("POST", session("s"), { agent: "mock", directory, profile });
  expect(created.status, created.text).toBe(200);
  const lost = created.json<SessionInfo>().profileLosses?.map(({ entity }) => entity);
  expect(lost).toEqual(["systemPrompt", "skills", "secrets"]);

  const info = await first.client.info("s");
  expect(SessionInfo.parse(info)).toEqual(info);
  expect(info.commands).toEqual([{ name: "lamp", description: "Light a lamp" }]);
  expect(JSON.stringify(info)).not.toContain(secret);
  expect(readFileSync(join(directory, "keeper/log.txt"), "utf8")).toBe("The log.");
  const notices = ofType(await first.client.soundLog("s"), "item.completed").flatMap(({ data }) => data.item.content);
  expect(notices).toMatchObject([
    {
      label: "Parts of the profile are not used",
      detail: expect.stringMatching(/^systemPrompt: .*\nskills: .*\nsecrets: /),
    },
  ]);
  await first.close();

  const { client } = await startTestDaemon({ dataDir });
  expect((await client.info("s")).profileLosses).toEqual(info.profileLosses);
  const events = await client.turn("s", "/lamp north");
  const said = ofType(events, "item.completed").map(({ data }) => data.item);
  expect(said.find(({ role }) => role === "user")?.content).toMatchObject([{ text: "/lamp north" }]);
  expect(said.find(({ role }) => role === "assistant")?.content).toMatchObject([{ text: "Light the north lamp." }]);
});

test("nothing of it is left when the session is deleted, or could not be made", async () => {
  const directory = temporaryDirectory();
  const { client, dataDir } = await startTestDaemon();
  const answer = await client.call("POST", session("bad"), { agent: "mock", directory, profile, model: "none" });
  expect(codeOf(answer)).toBe("mode_not_supported");
  expect(readdirSync(directory)).toEqual([]);
  await client.create("s", { directory, profile });
  expect(filesWith(dataDir, "name: beacon")).not.toEqual([]);
  expect((await client.call("DELETE", session("s"))).status).toBe(204);
  expect(readdirSync(directory)).toEqual([]);
  expect(filesWith(dataDir, "name: beacon")).toEqual([]);
  expect(filesWith(dataDir, secret)).toEqual([]);
});

test("a repository stays as it is", async () => {
  const root = temporaryDirectory();
  execFileSync("git", ["init", "--quiet"], { cwd: root });
  const directory = join(root, "packages");
  mkdirSync(directory);
  const { client } = await startTestDaemon();
  await client.create("s", { directory, profile });
  await client.turn("s", "/lamp south");
  expect(execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" })).toBe("");
  expect((await client.info("s")).profileLosses).toContainEqual({
    entity: "files",
    reason: expect.stringContaining("git repository"),
  });
});

test("agents tell what of a profile they take", async () => {
  const { client } = await startTestDaemon();
  const { agents } = (await client.call("GET", "/v1/agents")).json<{ agents: { id: string; profile: object }[] }>();
  expect(agents.find(({ id }) => id === "mock")?.profile).toEqual({ takes: ["commands", "files"], hookEvents: [] });
});
