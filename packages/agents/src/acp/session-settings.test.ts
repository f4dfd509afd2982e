import { expect, test } from "vitest";
import type { SessionConfig } from "../agent.ts";
import type { AcpAgent } from "./acp-agent.ts";
import type { AcpOpened } from "./dialect.ts";
import { readModels, settingRequests, unofferedVariant, variantRequests } from "./session-settings.ts";

const agent = { permissionModes: { default: { sessionMode: "ask" }, plan: { sessionMode: "look" } } } as AcpAgent;
const session: SessionConfig = {
  sessionId: "s",
  agentMode: "build",
  permissionMode: "default",
  directory: "/workspace",
  env: {},
};
const choice = (value: string) => ({ value, name: value.toUpperCase() });
const select = (id: string, category: string | null, currentValue: string, ...values: string[]) => {
  return { id, name: id, category, type: "select", currentValue, options: values.map(choice) };
};

function asked(opened: AcpOpened, wanted: Partial<SessionConfig> = {}): [string, object][] {
  const conversation = { nativeId: "n", opened, isNew: true };
  const all = { ...session, ...wanted };
  const requests = [...settingRequests(agent, all, conversation), ...variantRequests(all, conversation, opened)];
  return requests.map(({ method, params }) => [method, params]);
}

test("a mode is set where it is offered and not there already, by either way", () => {
  const modes = { currentModeId: "free", availableModes: [{ id: "free" }, { id: "ask" }] };
  expect(asked({ modes })).toEqual([["session/set_mode", { sessionId: "n", modeId: "ask" }]]);
  expect(asked({ modes: { ...modes, currentModeId: "ask" } })).toEqual([]);
  expect(asked({ modes }, { permissionMode: "plan" })).toEqual([]);
  const configOptions = [select("m", "mode", "free", "free", "ask")];
  expect(asked({ configOptions })).toEqual([
    ["session/set_config_option", { sessionId: "n", configId: "m", value: "ask" }],
  ]);
});

test("who plans gets the mode for planning, whatever may be done", () => {
  const modes = { currentModeId: "ask", availableModes: [{ id: "ask" }, { id: "look" }] };
  const planning = [["session/set_mode", { sessionId: "n", modeId: "look" }]];
  expect(asked({ modes }, { permissionMode: "plan" })).toEqual(planning);
  expect(asked({ modes }, { agentMode: "plan" })).toEqual(planning);
});

test("model and variant are options of the session, or the model is told as of old", () => {
  const configOptions = [select("model", null, "a", "a", "b"), select("reasoning_effort", null, "low", "low", "high")];
  expect(asked({ configOptions }, { model: "b", variant: "high" })).toEqual([
    ["session/set_config_option", { sessionId: "n", configId: "model", value: "b" }],
    ["session/set_config_option", { sessionId: "n", configId: "reasoning_effort", value: "high" }],
  ]);
  expect(asked({ models: { currentModelId: "a" } }, { model: "b" })).toEqual([
    ["session/set_model", { sessionId: "n", modelId: "b" }],
  ]);
  expect(asked({ configOptions }, { model: "a", variant: "low" })).toEqual([]);
});

test.each([
  ["always", true, 0],
  ["always", false, 0],
  ["atFirst", true, 0],
  ["atFirst", false, 1],
] as const)(
  "a model that is given %s is told to a conversation whose being new is %j %i times",
  (given, isNew, times) => {
    const opened = { configOptions: [select("model", null, "a", "a", "b")] };
    const conversation = { nativeId: "n", opened, isNew };
    const givesModel = { ...agent, quirks: { modelIsGiven: given } };
    expect(settingRequests(givesModel, { ...session, model: "b" }, conversation)).toHaveLength(times);
    expect(settingRequests(givesModel, { ...session, model: "a" }, conversation)).toEqual([]);
  },
);

test("the models are those of the option, in groups or not, with what is set among them", () => {
  const grouped = { ...select("model", "model", "c"), options: [{ name: "All", options: [choice("a"), choice("b")] }] };
  expect(readModels({ configOptions: [grouped, select("e", "thought_level", "low", "low", "high")] })).toEqual({
    models: [
      { id: "c", variants: ["low", "high"] },
      { id: "a", name: "A", variants: ["low", "high"] },
      { id: "b", name: "B", variants: ["low", "high"] },
    ],
    defaultModel: "c",
  });
  const models = { currentModelId: "x", availableModels: [{ modelId: "x", name: "X" }] };
  expect(readModels({ models })).toEqual({ models: [{ id: "x", name: "X" }], defaultModel: "x" });
  expect(readModels({})).toEqual({ models: [] });
});

test("a variant that is not offered is told with what is", () => {
  const about = (opened: AcpOpened, variant?: string) =>
    unofferedVariant({ displayName: "Ada" } as AcpAgent, { ...session, ...(variant ? { variant } : {}) }, opened);
  const configOptions = [select("effort", "thought_level", "low", "low", "high")];
  expect(about({ configOptions }, "high")).toBeUndefined();
  expect(about({})).toBeUndefined();
  expect(about({ configOptions }, "max")).toContain('Ada has no variant "max". It has: low, high.');
  expect(about({}, "max")).toContain("It has none with its model.");
});
