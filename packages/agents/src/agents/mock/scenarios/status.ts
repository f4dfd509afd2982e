import type { Scenario } from "../scenario.ts";

export const status: Scenario = async (stage) => {
  for (const [label, detail] of [
    ["Indexing", "12 of 40 files"],
    ["Indexing", "40 of 40 files"],
    ["Ready", null],
  ] as const) {
    stage.show({ kind: "status", role: "system", content: [{ type: "status", label, detail }] });
    await stage.breathe();
  }
  return undefined;
};

/** An item of a kind nobody has heard of. */
export const unknown: Scenario = async (stage) => {
  const json = { kind: "hologram", payload: { frames: 3 } };
  stage.show({ kind: "unknown", role: "assistant", content: [{ type: "json", json }] });
  return undefined;
};
