export { type AgentRecipe, agentRecipes } from "./agent-recipes.ts";
export type {
  ModelMessage,
  ModelRequest,
  RequestImage,
  RequestToolCall,
  RequestToolResult,
} from "./conversation/model-request.ts";
export { callTool, cut, fail, hang, say, step, think } from "./script/builders.ts";
export type { ModelScript } from "./script/model-script.ts";
export type { ModelStep } from "./script/model-step.ts";
export { parseScript } from "./script/parse-script.ts";
export type { RecordedRequest } from "./server/recorded-request.ts";
export { type ScriptedModel, type StartModelOptions, startModel } from "./start-model.ts";
