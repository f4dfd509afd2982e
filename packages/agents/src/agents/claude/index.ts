import { homedir } from "node:os";
import { join } from "node:path";
import { type AgentModelsResponse, hookEvents } from "@sandbox-agent-ts/protocol";
import type { AgentAdapter, AgentHost } from "../../agent.ts";
import { hasCredentials } from "../../credentials/find-credentials.ts";
import { probeProgram, requireProgram } from "../../install/locate-program.ts";
import { refuseVariant } from "../../models/refuse-model.ts";
import { restoreFiles } from "../../restore/restore-files.ts";
import { ClaudeSession } from "./claude-session.ts";
import { credentials } from "./credentials.ts";
import { askForModels } from "./models.ts";
import { program } from "./program.ts";
import { writeSessionFiles } from "./session-files.ts";
import { writeTranscript } from "./write-transcript.ts";

const DEFAULT_IDLE_MS = 10 * 60_000;
const idleVariable = "SANDBOX_AGENT_CLAUDE_IDLE_MS";

/** The answer of each binary, by path and version. */
const knownModels = new Map<string, Promise<AgentModelsResponse>>();

export const adapter: AgentAdapter = {
  id: "claude",
  displayName: "Claude Code",
  program,
  credentials,
  profile: { subagents: ["tools", "model"], hooks: hookEvents },
  permissionModes: ["default", "plan", "acceptEdits", "bypass"],
  unaskedKinds: [],
  capabilities: {
    planMode: true,
    permissions: true,
    questions: true,
    toolCalls: true,
    toolResults: true,
    textMessages: true,
    images: true,
    fileAttachments: true,
    sessionLifecycle: true,
    errorEvents: true,
    reasoning: true,
    status: true,
    commandExecution: true,
    fileChanges: true,
    mcpTools: true,
    streamingDeltas: true,
    itemStarted: true,
    sharedProcess: false,
  },
  async probe(host) {
    const found = await probeProgram(program, host);
    return { ...found, credentialsAvailable: await hasCredentials(credentials, host.env) };
  },
  modes: async () => [
    { id: "build", name: "Build", description: "Works on the task" },
    {
      id: "plan",
      name: "Plan",
      description: "Looks around and makes a plan, which you approve before anything is changed",
    },
  ],
  models: listModels,
  async refuseModel(host, wish) {
    if (wish.variant === undefined) return undefined;
    const models = await listModels(host);
    const ofOthers = [...new Set(models.models.flatMap(({ variants }) => variants ?? []))];
    return refuseVariant("Claude Code", models, wish, ofOthers);
  },
  async open(options) {
    const { host, session } = options;
    const { path } = await requireProgram(program, host, session.agentVersion);
    const files = await writeSessionFiles(host, session);
    const opened = new ClaudeSession({ ...options, binary: path, files, idleMs: idleMs(host) });
    opened.prewarm();
    return opened;
  },
  restore(options) {
    const env = { ...options.host.env, ...options.session.env };
    const root = env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? homedir(), ".claude");
    return restoreFiles(options, writeTranscript, { root, folder: "projects" });
  },
};

async function listModels(host: AgentHost): Promise<AgentModelsResponse> {
  const { path, version } = await requireProgram(program, host);
  const key = `${path} ${version}`;
  const models = knownModels.get(key) ?? askForModels(host, path);
  knownModels.set(key, models);
  models.catch(() => knownModels.delete(key));
  return models;
}

function idleMs({ env }: AgentHost): number {
  const wanted = Number(env[idleVariable]);
  return wanted > 0 ? wanted : DEFAULT_IDLE_MS;
}
