import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import {
  type AgentAdapter,
  type AgentHost,
  type AgentSession,
  type AgentSettings,
  sharedKeys,
} from "@sandbox-agent-ts/agents";
import type { EventDraft, SessionChanges } from "@sandbox-agent-ts/protocol";
import { secretsIn } from "../secrets/secret-variables.ts";
import { Deferred } from "./deferred.ts";
import { nativePermissionMode, type SessionConfig, settingsOfAgent } from "./session-config.ts";
import type { SessionHost } from "./session-host.ts";

export interface AgentLinkOptions {
  readonly sessionId: string;
  /** The settings that hold now. */
  readonly config: () => SessionConfig;
  readonly host: SessionHost;
  readonly nativeSessionId: () => string | null;
  readonly setNativeSessionId: (id: string) => void;
  readonly memory: () => unknown;
  readonly remember: (memory: unknown) => void;
  readonly emit: (drafts: readonly EventDraft[]) => void;
}

interface Opened {
  readonly agent: Promise<AgentSession>;
  /** What the agent was told to work with. */
  settings: AgentSettings;
  readonly lost: Deferred<never>;
}

/**
 * A session's connection to its agent: opened when needed, gone when closed, opened anew for the next turn. What an agent
 * says while it is being closed is not heard any more.
 */
export class AgentLink {
  readonly #options: AgentLinkOptions;
  #opened: Opened | undefined;

  constructor(options: AgentLinkOptions) {
    this.#options = options;
  }

  /** The agent's conversation, and a promise that rejects when it is closed under somebody's hands. */
  async open(): Promise<{ agent: AgentSession; lost: Promise<never> }> {
    await this.#adoptSettings();
    this.#opened ??= this.#begin();
    const { agent, lost } = this.#opened;
    try {
      return { agent: await Promise.race([agent, lost.promise]), lost: lost.promise };
    } catch (error) {
      if (this.#opened?.agent === agent) this.#opened = undefined;
      throw error;
    }
  }

  /** The agent changed settings of its own accord, e.g. because a plan was approved: it need not be told. */
  noteChanges({ agent_mode, permission_mode }: SessionChanges): void {
    if (!this.#opened) return;
    this.#opened.settings = {
      ...this.#opened.settings,
      ...(agent_mode === undefined ? {} : { agentMode: agent_mode }),
      ...(permission_mode === undefined ? {} : { permissionMode: permission_mode }),
    };
  }

  /** Say something to the agent if there is one; that it does not want to hear it is nobody's problem. */
  async tell(say: (agent: AgentSession) => Promise<void>): Promise<void> {
    const agent = await this.#opened?.agent.catch(() => undefined);
    try {
      if (agent) await say(agent);
    } catch (err) {
      this.#options.host.log.warn({ err, sessionId: this.#options.sessionId }, "an agent could not be told something");
    }
  }

  /** When it resolves the agent says nothing more and no process of it is left. */
  async close(): Promise<void> {
    const opened = this.#opened;
    if (!opened) return;
    this.#opened = undefined;
    opened.lost.reject(new Error("The agent was closed."));
    const agent = await opened.agent.catch(() => undefined);
    await agent?.close().catch((err: unknown) => this.#options.host.log.error({ err }, "closing an agent failed"));
  }

  /** Settings that changed are told to an agent that can take them; another one is opened anew with them. */
  async #adoptSettings(): Promise<void> {
    const opened = this.#opened;
    const settings = agentSettings(this.#options.config());
    if (!opened || isDeepStrictEqual(opened.settings, settings)) return;
    const agent = await opened.agent.catch(() => undefined);
    const asksTheSame = opened.settings.asksEverything === settings.asksEverything;
    const isTaken = asksTheSame && (await agent?.update?.(settings).catch(() => false));
    if (isTaken) opened.settings = settings;
    else if (this.#opened === opened) await this.close();
  }

  #begin(): Opened {
    const config = this.#options.config();
    const opened: Opened = {
      agent: this.#connect(config, () => this.#opened === opened),
      settings: agentSettings(config),
      lost: new Deferred<never>(),
    };
    return opened;
  }

  async #connect(config: SessionConfig, isOpen: () => boolean): Promise<AgentSession> {
    const { sessionId, host, setNativeSessionId, remember, emit } = this.#options;
    const { adapter, agentHost } = await host.agent(config.agent, config.agentVersion);
    const nativeSessionId = this.#options.nativeSessionId();
    const memory = this.#options.memory();
    return adapter.open({
      host: await this.#withSharedKeys(adapter, agentHost, config),
      session: { sessionId, env: config.env ?? {}, ...settingsOfAgent(config) },
      ...(nativeSessionId === null ? {} : { nativeSessionId }),
      ...(memory === null ? {} : { memory }),
      itemPrefix: `itm_${randomBytes(6).toString("base64url")}_`,
      emit: (drafts) => isOpen() && emit(drafts),
      setNativeSessionId: (id) => isOpen() && setNativeSessionId(id),
      remember: (value) => isOpen() && remember(value),
    });
  }

  /** An agent that has nothing to sign in with gets the keys for its service that other agents of the machine have. */
  async #withSharedKeys(adapter: AgentAdapter, host: AgentHost, config: SessionConfig): Promise<AgentHost> {
    const { credentials } = adapter;
    const keys = credentials ? await sharedKeys(credentials, { ...host.env, ...config.env }) : {};
    const names = Object.keys(keys);
    if (names.length === 0 || (await adapter.probe(host)).credentialsAvailable) return host;
    const { host: house, sessionId } = this.#options;
    house.secrets.add(secretsIn(keys));
    house.log.info(
      { sessionId, agent: config.agent, variables: names },
      "an agent without a sign-in gets keys of others",
    );
    return { ...host, env: { ...host.env, ...keys } };
  }
}

function agentSettings(config: SessionConfig): AgentSettings {
  const { agentMode, model, usesOwnModel, variant, policy } = config;
  return {
    agentMode,
    permissionMode: nativePermissionMode(config),
    ...(model === undefined ? {} : { model }),
    ...(usesOwnModel ? { usesOwnModel } : {}),
    ...(variant === undefined ? {} : { variant }),
    ...(policy === undefined ? {} : { asksEverything: true }),
  };
}
