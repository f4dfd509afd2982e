import { expect, test } from "vitest";
import { SecretBox } from "../access/secret-box.ts";
import { planOf } from "./sandbox-spec.ts";

type Deps = Parameters<typeof planOf>[0];

const template = async (key: string, agentEnv: Record<string, string>) => {
  const deps = {
    store: { storeId: "s" },
    catalog: { programs: "/programs" },
    bundle: "/nowhere",
    provider: { name: "local", can: { extend: false } },
    agentEnv,
    secrets: new SecretBox(key),
  };
  return (await planOf(deps as unknown as Deps, {}, {})).template;
};

test("a template is the same for the same environment, and does not help to guess what is in it", async () => {
  const known = await template("key", { A: "1", MODEL_KEY: "k" });
  expect(await template("key", { MODEL_KEY: "k", A: "1" })).toBe(known);
  expect(await template("key", { A: "1", MODEL_KEY: "other" })).not.toBe(known);
  expect(await template("another key", { A: "1", MODEL_KEY: "k" })).not.toBe(known);
});
