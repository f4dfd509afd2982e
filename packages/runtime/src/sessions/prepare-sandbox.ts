import {
  type AgentProfile,
  type CreateSessionRequest,
  SandboxError,
  type SessionState,
} from "@sandbox-agent-ts/protocol";
import type { LogReaders } from "@sandbox-agent-ts/store";
import { asSandboxError } from "../agents/agent-catalog.ts";
import { writeWorkspace } from "../persistence/workspace-files.ts";
import type { AgentSandbox } from "../sandboxes/agent-sandbox.ts";
import type { SessionWorkspace } from "../workspace/session-workspace.ts";
import { asSent } from "./as-sent.ts";
import { conversationUpTo } from "./conversation.ts";
import type { RuntimeDeps } from "./runtime-deps.ts";
import { currentRequest, type SessionSettings, withSecrets } from "./session-settings.ts";

export interface SessionToRestore {
  readonly sessionId: string;
  readonly settings: SessionSettings;
  readonly state: SessionState;
  readonly readers: LogReaders;
  readonly workspace: SessionWorkspace;
}

/** Make the session exist in the daemon of a new sandbox, with its files and the conversation so far. */
export async function prepareSandbox(
  deps: RuntimeDeps,
  { sessionId, settings, state, readers, workspace }: SessionToRestore,
  sandbox: AgentSandbox,
  onStep: (step: string) => void,
): Promise<void> {
  const request = currentRequest(withSecrets(settings, deps.secrets), state.changes);
  const restore = state.turnCount > 0 ? { events: await conversationUpTo(readers, readers.head) } : undefined;
  if (restore) onStep(`Restoring the conversation (${restore.events.length} events) …`);
  else onStep("Starting the agent …");
  const directory = request.directory ?? sandbox.paths.workspace;
  await workspace.restore(sandbox, onStep);
  await restoreFiles(deps, sessionId, sandbox, onStep);
  const profile = await profileFor(deps, request, settings, restore !== undefined);
  const whole = { ...request, directory, ...(profile ? { profile } : {}), ...(restore ? { restore } : {}) };
  await sandbox.client.createSession(sessionId, asSent(whole)).catch((error: unknown) => {
    throw notCreated(deps, request.agent, asSandboxError(error));
  });
}

/** Where the programs come with the sandboxes, nobody can install one. */
function notCreated({ provider }: RuntimeDeps, agent: string, error: unknown): unknown {
  const isMissing = provider.hasPrograms && error instanceof SandboxError && error.code === "install_failed";
  if (!isMissing) return error;
  const advice = `Build it with the agent: \`sandbox-agent image build --provider ${provider.name} --agents ${agent}\``;
  const sentence = `The image of the sandbox has no program of "${agent}". ${advice}.`;
  return new SandboxError("install_failed", sentence, { agent, cause: error });
}

/** The version that the session began with. Its files are there since its first sandbox, or were taken away on purpose. */
async function profileFor(
  { profiles }: RuntimeDeps,
  { profile: inline }: CreateSessionRequest,
  { profileReference }: SessionSettings,
  isRestored: boolean,
): Promise<AgentProfile | undefined> {
  const known = profileReference === undefined ? undefined : await profiles.load(profileReference);
  const profile = known ?? (inline && typeof inline !== "string" ? inline : undefined);
  if (!profile || !isRestored) return profile;
  const { files: _files, ...others } = profile;
  return others;
}

async function restoreFiles(
  { persistence, log }: RuntimeDeps,
  sessionId: string,
  sandbox: AgentSandbox,
  onStep: (step: string) => void,
): Promise<void> {
  const files =
    (await persistence?.filesToRestore(sessionId, () => onStep("Waiting for the application's storage …"))) ?? [];
  if (files.length === 0) return;
  onStep(`Restoring ${files.length} files …`);
  const refused = await writeWorkspace(sandbox, files);
  if (refused.length > 0) log.warn({ sessionId, refused }, "stored files whose paths leave the workspace");
}
