import { AgentCapabilities, AgentMode, AgentModelsResponse } from "@sandbox-agent-ts/protocol";
import { describe, expect, test } from "vitest";
import type { AgentContract } from "./agent-contract.ts";
import { ambiguousMessages, scriptOf } from "./script-of.ts";

/** What the agent says of itself before any session. */
export function describeIdentity(contract: AgentContract): void {
  describe("says what it is", () => {
    test("its id can stand in a URL, it has a name and knows the default permission mode", () => {
      const { id, displayName, permissionModes } = contract.adapter;
      expect(id).toMatch(/^[a-z][a-z0-9-]*$/);
      expect(displayName).not.toBe("");
      expect(permissionModes).toContain("default");
    });

    test("it says yes or no to every capability", () => {
      expect(AgentCapabilities.strict().safeParse(contract.adapter.capabilities).error).toBeUndefined();
    });

    test("it has a plan mode and a shared process exactly when it claims them", async () => {
      const { adapter, world } = contract;
      const modes = await adapter.modes(world.host);
      expect(modes.some(({ id }) => id === "plan")).toBe(adapter.capabilities.planMode);
      expect(adapter.serverStatus !== undefined).toBe(adapter.capabilities.sharedProcess);
    });

    test("its modes are named once each, and build is one of them", async () => {
      const modes = await contract.adapter.modes(contract.world.host);
      for (const mode of modes) expect(AgentMode.safeParse(mode).error).toBeUndefined();
      const ids = modes.map(({ id }) => id);
      expect(ids).toContain("build");
      expect(new Set(ids).size).toBe(ids.length);
    });

    test("its defaults are among its models and their variants", async () => {
      const models = AgentModelsResponse.parse(await contract.adapter.models(contract.world.host));
      if (models.defaultModel) expect(models.models.map(({ id }) => id)).toContain(models.defaultModel);
      for (const { variants, defaultVariant } of models.models) {
        if (defaultVariant) expect(variants).toContain(defaultVariant);
      }
    });

    test("probing answers the same twice and finds the program", async () => {
      const { adapter, world } = contract;
      const probe = await adapter.probe(world.host);
      expect(probe).toMatchObject({ installed: true, credentialsAvailable: true });
      expect(await adapter.probe(world.host)).toEqual(probe);
    });

    test("no message of its scenario stands in another one", () => {
      expect(ambiguousMessages(scriptOf(contract.scenario))).toEqual([]);
    });
  });
}
