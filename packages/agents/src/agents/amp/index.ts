import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { AgentAdapter, ModelRefusal, ModelWish } from "../../agent.ts";
import { hasCredentials } from "../../credentials/find-credentials.ts";
import { probeProgram, requireProgram } from "../../install/locate-program.ts";
import { AmpSession } from "./amp-session.ts";
import { credentials } from "./credentials.ts";
import { ampModes } from "./modes.ts";
import { program } from "./program.ts";
import { programFlags } from "./program-flags.ts";
import { makeSessionFiles } from "./session-files.ts";

export const adapter: AgentAdapter = {
  id: "amp",
  displayName: "Amp",
  program,
  credentials,
  profile: {
    lacks: {
      subagents: "Amp has no subagents that a user can define.",
      hooks: "Amp has plugins in TypeScript instead of hooks.",
    },
  },
  permissionModes: ["default", "plan", "acceptEdits", "bypass"],
  unaskedKinds: [],
  capabilities: {
    planMode: true,
    permissions: true,
    questions: false,
    toolCalls: true,
    toolResults: true,
    textMessages: true,
    images: true,
    fileAttachments: true,
    sessionLifecycle: true,
    errorEvents: true,
    reasoning: true,
    status: false,
    commandExecution: true,
    fileChanges: true,
    mcpTools: true,
    streamingDeltas: false,
    itemStarted: false,
    sharedProcess: false,
  },
  async probe(host) {
    const found = await probeProgram(program, host);
    return { ...found, credentialsAvailable: await hasCredentials(credentials, host.env) };
  },
  async modes(host) {
    const binary = await requireProgram(program, host).catch(() => undefined);
    return ampModes(binary === undefined ? [] : (await programFlags(host, binary)).modes);
  },
  /** Its service chooses the model by the mode. */
  models: async () => ({ models: [] }),
  refuseModel: async (_host, wish) => refuseModel(wish),
  async open(options) {
    const { host, session } = options;
    const refusal = refuseModel(session);
    if (refusal) throw new SandboxError("mode_not_supported", refusal.message, { agent: "amp" });
    const binary = await requireProgram(program, host, session.agentVersion);
    const flags = programFlags(host, binary);
    flags.catch(() => {});
    const files = await makeSessionFiles(host, session);
    return new AmpSession({ ...options, binary: binary.path, flags, files });
  },
};

function refuseModel({ model, variant }: ModelWish): ModelRefusal | undefined {
  const field = model === undefined ? "variant" : "model";
  const wanted = model ?? variant;
  if (wanted === undefined) return undefined;
  const message = `Amp chooses its model itself, so it cannot use the ${field} ${wanted}. Leave it out, and choose one of its modes.`;
  return { field, message };
}
