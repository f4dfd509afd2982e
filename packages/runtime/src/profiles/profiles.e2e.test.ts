/** Feared: a session changes its profile under way, a secret is shown, or somebody changes what he may only read. */
import { expect, test } from "vitest";
import { startTestRuntime, type TestRuntime } from "../__fixtures__/test-runtime.ts";
import { ApplicationStorage } from "../persistence/__fixtures__/application-storage.ts";

const version = (words: string) => ({
  systemPrompt: "You keep the lamps.",
  commands: { lamp: { prompt: `echo ${words} $1` } },
  secrets: { LAMP_KEY: "a secret of the profile" },
  files: { "keeper/log.txt": "The log." },
});

async function api(
  running: TestRuntime,
  method: string,
  path: string,
  body?: object,
  scope: "read" | "write" | "admin" = "admin",
) {
  const { key } = await running.runtime.keys.create({ name: "k", principal: "p", scope });
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
  const answer = await fetch(`${running.gateway.url}/api/profiles${path}`, init);
  const text = await answer.text();
  return { status: answer.status, text, json: () => JSON.parse(text) as Record<string, unknown> };
}

async function says(running: TestRuntime, sessionId: string): Promise<string> {
  const { text } = await running.client.session(sessionId).run("/lamp north");
  return text;
}

test("a session keeps the version it began with: after a change, a restart, and in a new sandbox", {
  timeout: 180_000,
}, async () => {
  const first = await startTestRuntime();
  expect((await api(first, "PUT", "/keeper", version("old"))).json()).toMatchObject({ name: "keeper", version: 1 });
  await first.client.createSession("s", { agent: "mock", profile: "keeper" });
  const info = await first.client.getSession("s");
  expect(info).toMatchObject({ profile: "keeper@1", commands: [{ name: "lamp" }] });
  expect(info.profileLosses?.map(({ entity }) => entity)).toEqual(["systemPrompt", "secrets"]);
  expect(await says(first, "s")).toBe("old north");

  expect((await api(first, "PUT", "/keeper", version("new"))).json()).toMatchObject({ version: 2 });
  await first.client.createSession("t", { agent: "mock", profile: "keeper" });
  expect(await says(first, "t")).toBe("new north");
  expect((await api(first, "DELETE", "/keeper")).status).toBe(204);
  await first.gateway.close();
  await first.runtime.close();

  const again = await first.again();
  const session = await again.runtime.sessions.loadSession("s");
  await session.deactivateSandbox("The test wants a new one.");
  expect(await says(again, "s")).toBe("old north");
  expect((await again.client.getSession("s")).runtime?.sandbox?.generation).toBe(2);
  expect((await again.client.getSession("s")).profile).toBe("keeper@1");
});

test("who may read sees profiles without their secrets, admins change them", async () => {
  const running = await startTestRuntime();
  for (const scope of ["read", "write"] as const) {
    expect((await api(running, "PUT", "/keeper", version("x"), scope)).status).toBe(403);
  }
  const headers = { authorization: "a secret of the profile" };
  const mcp = {
    near: {
      type: "local",
      command: "true",
      args: ["a secret of the profile"],
      env: { KEY: "a secret of the profile" },
    },
    far: { type: "remote", url: "https://mcp.invalid/?key=a%20secret%20of%20the%20profile", headers },
  };
  expect((await api(running, "PUT", "/keeper", { ...version("x"), mcp })).status).toBe(200);
  const shown = await api(running, "GET", "/keeper", undefined, "read");
  expect(decodeURIComponent(shown.text)).not.toContain("a secret of the profile");
  expect(shown.json()).toMatchObject({ name: "keeper", version: 1, profile: { secrets: { LAMP_KEY: "[hidden]" } } });
  expect((await api(running, "GET", "", undefined, "read")).json()).toMatchObject({ profiles: [{ name: "keeper" }] });
  expect((await api(running, "DELETE", "/keeper", undefined, "read")).status).toBe(403);
  expect((await api(running, "GET", "/other")).status).toBe(404);
  expect((await api(running, "PUT", "/keeper", { files: { "../x": "" } })).status).toBe(400);
  expect((await api(running, "PUT", "/a@b", {})).status).toBe(400);
  expect((await fetch(`${running.gateway.url}/api/profiles`)).status).toBe(401);
  await expect(running.client.createSession("s", { agent: "mock", profile: "other" })).rejects.toThrow("no profile");
});

test("profiles of the application are listed, read and given; the runtime's own of the same name count", {
  timeout: 180_000,
}, async () => {
  const persistence = new ApplicationStorage();
  const own = { id: "keeper", name: "keeper", description: "Theirs", commands: { lamp: { prompt: "echo theirs" } } };
  const given = { ...version("given"), id: "wick/7", name: "Wick trimmer", description: "Trims" };
  for (const profile of [own, given]) persistence.profiles.set(profile.id, profile);
  const running = await startTestRuntime({ persistence });
  const list = async () => ((await api(running, "GET", "")).json() as { profiles: unknown[] }).profiles;
  const wick = { name: "wick/7", title: "Wick trimmer", description: "Trims" };
  expect(await list()).toEqual([{ name: "keeper", description: "Theirs" }, wick]);
  await api(running, "PUT", "/keeper", version("own"));
  expect(await list()).toEqual([{ name: "keeper", version: 1, updatedAt: expect.any(Number) as number }, wick]);
  expect((await api(running, "GET", "/wick%2F7", undefined, "read")).json()).toMatchObject({
    name: "wick/7",
    reference: "wick/7",
    profile: { systemPrompt: "You keep the lamps.", secrets: { LAMP_KEY: "[hidden]" } },
  });
  const session = await running.runtime.sessions.createSession({ agent: "mock", agentProfileReference: "wick/7" });
  persistence.profiles.delete("wick/7");
  expect(session.getListData().agentProfileReference).toBe("wick/7");
  expect(await says(running, session.sessionId)).toBe("given north");

  persistence.before.set("listAgentProfiles", () => new Promise(() => {}));
  expect(await list()).toMatchObject([{ name: "keeper", version: 1 }]);
  persistence.fail("loadAgentProfile");
  expect((await api(running, "GET", "/wick%2F7")).text).toContain("The application's storage did not answer");
});
