import { type AcpAgent, type AgentAdapter, builtInAgents, describedAgents } from "@sandbox-agent-ts/agents";
import type { AgentCapabilities, PermissionMode } from "@sandbox-agent-ts/protocol";
import { type AcpAgentConfig, parseAcpAgents } from "./acp-agent-config.ts";

/** What the protocol has, and any agent may use. Whether one really does is known to nobody before it runs. */
const capabilities: AgentCapabilities = {
  planMode: true,
  permissions: true,
  questions: false,
  toolCalls: true,
  toolResults: true,
  textMessages: true,
  images: false,
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
};

/** The agents of the configuration, checked. */
export function acpAgentsOf(configured: readonly unknown[]): Promise<readonly AgentAdapter[]> {
  return describedAgents(parseAcpAgents(configured, builtInAgents).map(describe));
}

function describe({ id, name = id, command, args = [], env = {}, quirks = {} }: AcpAgentConfig): AcpAgent {
  const { signIn, permissionModes, offers, ...plain } = quirks;
  return {
    id,
    displayName: name,
    command,
    args,
    env,
    capabilities,
    ...(permissionModes ? { permissionModes: sessionModes(permissionModes) } : {}),
    quirks: {
      ...withoutUndefined(plain),
      ...(offers ? { offers: withoutUndefined(offers) } : {}),
      ...(signIn === undefined ? {} : { signIn: () => signIn }),
    },
  };
}

function sessionModes(modes: Partial<Record<PermissionMode, string | null>>): NonNullable<AcpAgent["permissionModes"]> {
  return Object.fromEntries(
    Object.entries(modes).map(([mode, sessionMode]) => [mode, sessionMode === null ? {} : { sessionMode }]),
  );
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function withoutUndefined<T extends object>(object: T): Defined<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Defined<T>;
}
