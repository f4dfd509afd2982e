import type { AgentProfile } from "@sandbox-agent-ts/protocol";
import { expect, it } from "vitest";
import { Profiles } from "../profiles/profiles.ts";
import { settingsOf, withSecrets } from "../sessions/session-settings.ts";
import { sampleSandbox, sampleSession } from "../store/contract/samples.ts";
import { MemoryRuntimeStore } from "../store/memory/memory-runtime-store.ts";
import { resealSecrets } from "./reseal-secrets.ts";
import { SecretBox } from "./secret-box.ts";

it("seals the tokens of sandboxes, the secrets of sessions and profiles with the key of today, once", async () => {
  const store = new MemoryRuntimeStore();
  const old = new SecretBox("old");
  await store.putSandbox({ ...sampleSandbox("x"), token: old.seal("of x") });
  await store.putSandbox({ ...sampleSandbox("gone"), token: "unreadable", state: "ended" });
  const settings = settingsOf({ agent: "mock", env: { KEY: "secret" } }, undefined, old);
  await store.createSession({ ...sampleSession("s"), settings });
  await store.createSession(sampleSession("plain"));

  await new Profiles({ store, secrets: old }).put("reviewer", { env: { KEY: "of a profile" } } as AgentProfile);

  const rotating = new SecretBox("new", ["old"]);
  expect(await resealSecrets(store, rotating)).toBe(3);
  expect(await resealSecrets(store, rotating)).toBe(0);
  const today = new SecretBox("new");
  expect(today.open((await store.sandbox("x"))!.token)).toBe("of x");
  expect(await new Profiles({ store, secrets: today }).load("reviewer@1")).toEqual({ env: { KEY: "of a profile" } });
  const again = await new Profiles({ store, secrets: today }).put("reviewer", { env: { KEY: "of a profile" } });
  expect(again, "the same profile is no new version").toMatchObject({ version: 1 });
  const kept = (await store.session("s"))!.settings as typeof settings;
  expect(withSecrets(kept, today)).toMatchObject({ agent: "mock", env: { KEY: "secret" } });
});
