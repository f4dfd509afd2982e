import { AgentCapabilities, AgentMode, AgentModelsResponse, type CapabilityName } from "@sandbox-agent/protocol";
import { describe, expect, test } from "vitest";
import type { AgentContract } from "./agent-contract.ts";
import { type FeatureName, features } from "./features.ts";
import { makeWorld } from "./harness-world.ts";

/** What the agent says of itself before any session. */
export function describeIdentity(contract: AgentContract): void {
  describe("says what it is", () => {
    test("its id can stand in a URL, it has a name and knows the default permission mode", async () => {
      const adapter = await contract.adapter();
      expect(adapter.id).toMatch(/^[a-z][a-z0-9-]*$/);
      expect(adapter.displayName).not.toBe("");
      expect(adapter.permissionModes).toContain("default");
    });

    test("it says yes or no to every capability", async () => {
      const { capabilities } = await contract.adapter();
      expect(AgentCapabilities.strict().safeParse(capabilities).error).toBeUndefined();
    });

    test("it claims a capability exactly when the scenario shows it", async () => {
      const { capabilities } = await contract.adapter();
      const claimed = Object.fromEntries(shownCapabilities(contract).map(([name]) => [name, capabilities[name]]));
      expect(claimed).toEqual(Object.fromEntries(shownCapabilities(contract)));
    });

    test("it has a plan mode and a shared process exactly when it claims them", async () => {
      const adapter = await contract.adapter();
      const modes = await inWorld(contract, (world) => adapter.modes(world.host));
      expect(modes.some(({ id }) => id === "plan")).toBe(adapter.capabilities.planMode);
      expect(adapter.serverStatus !== undefined).toBe(adapter.capabilities.sharedProcess);
    });

    test("its modes are named once each, and build is one of them", async () => {
      const adapter = await contract.adapter();
      const modes = await inWorld(contract, (world) => adapter.modes(world.host));
      for (const mode of modes) expect(AgentMode.safeParse(mode).error).toBeUndefined();
      const ids = modes.map(({ id }) => id);
      expect(ids).toContain("build");
      expect(new Set(ids).size).toBe(ids.length);
    });

    test("its defaults are among its models and their variants", async () => {
      const adapter = await contract.adapter();
      const models = AgentModelsResponse.parse(await inWorld(contract, (world) => adapter.models(world.host)));
      if (models.defaultModel) expect(models.models.map(({ id }) => id)).toContain(models.defaultModel);
      for (const { variants, defaultVariant } of models.models) {
        if (defaultVariant) expect(variants).toContain(defaultVariant);
      }
    });

    test("probing answers the same twice and finds the program", async () => {
      const adapter = await contract.adapter();
      await inWorld(contract, async ({ host }) => {
        const probe = await adapter.probe(host);
        expect(probe.installed).toBe(true);
        expect(await adapter.probe(host)).toEqual(probe);
      });
    });
  });
}

function shownCapabilities({ scenario }: AgentContract): [CapabilityName, boolean][] {
  return (Object.keys(features) as FeatureName[]).flatMap((name) =>
    features[name].capabilities.map((capability): [CapabilityName, boolean] => [
      capability,
      !("skip" in scenario.provoke[name]),
    ]),
  );
}

type World = Awaited<ReturnType<typeof makeWorld>>;

async function inWorld<T>({ scenario }: AgentContract, ask: (world: World) => Promise<T>): Promise<T> {
  const world = await makeWorld((await scenario.prepare?.()) ?? {}, {});
  try {
    return await ask(world);
  } finally {
    await world.dispose();
  }
}
