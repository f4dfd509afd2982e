import type { CapabilityName } from "@sandbox-agent-ts/protocol";
import { describe, expect, test } from "vitest";
import type { AgentContract } from "./agent-contract.ts";
import { type FeatureName, featureNames, features } from "./features.ts";

/** After all that was seen: does the agent say of itself what is true, and is everything gone? */
export function describeClaims(contract: AgentContract): void {
  const { provoke } = contract.scenario;
  const declared = featureNames.filter((name) => !("skip" in provoke[name]));

  describe("in the end", () => {
    test("it claims exactly the capabilities that its scenario declares", () => {
      expect(claimsOf(contract)).toEqual(provedBy(declared));
    });

    test("it claims exactly the capabilities that were seen", ({ skip }) => {
      const missing = declared.filter((name) => !contract.seen.has(name));
      skip(missing.length > 0, `did not run or failed: ${missing.join(", ")}`);
      expect(claimsOf(contract)).toEqual(provedBy([...contract.seen]));
    });

    test("it says that it reads without asking exactly when it does", () => {
      const { unaskedKinds = ["read"] } = contract.adapter;
      expect(unaskedKinds.includes("read")).toBe(!declared.includes("policyRead"));
      expect(unaskedKinds.includes("mcp")).toBe(
        contract.adapter.capabilities.mcpTools && !declared.includes("policyMcp"),
      );
    });

    test("its model had an answer for everything", () => {
      expect(contract.world.model?.problems ?? []).toEqual([]);
    });

    test("it leaves no process when it is closed", async () => {
      await contract.adapter.close?.();
      expect(await contract.world.processes()).toEqual([]);
    });
  });
}

/** What the agent says about the capabilities that features prove. */
function claimsOf({ adapter }: AgentContract): Partial<Record<CapabilityName, boolean>> {
  const provable = new Set(featureNames.flatMap((name) => features[name].proves));
  return Object.fromEntries([...provable].map((name) => [name, adapter.capabilities[name]]));
}

function provedBy(names: readonly FeatureName[]): Partial<Record<CapabilityName, boolean>> {
  const proved = new Set<CapabilityName>(names.flatMap((name) => features[name].proves));
  return Object.fromEntries(
    featureNames.flatMap((name) => features[name].proves).map((name) => [name, proved.has(name)]),
  );
}
