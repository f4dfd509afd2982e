import type { AgentMode, AgentModelsResponse, PermissionMode } from "@sandbox-agent-ts/protocol";
import type { AgentAdapter, AgentHost } from "../agent.ts";
import { refuseVariant } from "../models/refuse-model.ts";
import { limitOf } from "../retries/limit-of.ts";
import { sessionInstructions } from "../skills/session-instructions.ts";
import type { AcpAgent } from "./acp-agent.ts";
import { AcpSession } from "./acp-session.ts";
import { askForModels } from "./ask-for-models.ts";
import { environment, findCommand, placeOf, probeAgent } from "./launch.ts";

const DEFAULT_IDLE_MS = 10 * 60_000;
const allPermissionModes: readonly PermissionMode[] = ["default", "plan", "acceptEdits", "bypass"];

const buildMode: AgentMode = { id: "build", name: "Build", description: "Works on the task" };
const planMode: AgentMode = { id: "plan", name: "Plan", description: "Looks around and proposes; changes nothing" };

/** An agent that speaks the Agent Client Protocol, driven as `agent` describes it: one process for each session. */
export function acpAdapter(agent: AcpAgent): AgentAdapter {
  const permissionModes = agent.permissionModes
    ? allPermissionModes.filter((mode) => agent.permissionModes?.[mode] !== undefined)
    : allPermissionModes;
  const modes = agent.modes ?? (agent.capabilities.planMode ? [buildMode, planMode] : [buildMode]);
  let models: Promise<AgentModelsResponse> | undefined;

  function listModels(host: AgentHost): Promise<AgentModelsResponse> {
    models ??= askForModels(agent, host);
    models.catch(() => {
      models = undefined;
    });
    return models;
  }

  return {
    id: agent.id,
    displayName: agent.displayName,
    ...(agent.program ? { program: agent.program } : {}),
    ...(agent.credentials ? { credentials: agent.credentials } : {}),
    ...(agent.env ? { programEnv: agent.env } : {}),
    capabilities: agent.capabilities,
    permissionModes,
    ...(agent.profile ? { profile: agent.profile } : {}),
    ...(agent.unaskedKinds ? { unaskedKinds: agent.unaskedKinds } : {}),
    probe: (host) => probeAgent(agent, host),
    modes: async () => modes,
    models: listModels,
    /** The variants told are those of the model that the agent has by itself. */
    async refuseModel(host, { model, variant }) {
      if (variant === undefined) return undefined;
      const told = await listModels(host);
      if (model !== undefined && model !== told.defaultModel) return undefined;
      return refuseVariant(agent.displayName, told, { variant });
    },
    async open(options) {
      const { host, session } = options;
      const place = placeOf(agent, host, session);
      await findCommand(agent, place);
      const instructions = await sessionInstructions(host, session);
      const opened = new AcpSession({
        ...options,
        agent,
        place,
        instructions,
        idleMs: idleMs(agent, host),
        models: () => listModels(host),
      });
      opened.prewarm();
      return opened;
    },
  };
}

/** `SANDBOX_AGENT_<ID>_IDLE_MS` says how long an idle process is kept. */
function idleMs(agent: AcpAgent, host: AgentHost): number {
  const name = `SANDBOX_AGENT_${agent.id.toUpperCase().replaceAll("-", "_")}_IDLE_MS`;
  return limitOf(environment(agent, host), name, DEFAULT_IDLE_MS);
}
