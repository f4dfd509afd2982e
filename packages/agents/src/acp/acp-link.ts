import { join } from "node:path";
import { SandboxError } from "@sandbox-agent-ts/protocol";
import type { SessionConfig } from "../agent.ts";
import { JsonRpcError } from "../json-rpc/json-rpc-error.ts";
import type { JsonRpcCall } from "../json-rpc/json-rpc-message.ts";
import { enabledServers } from "../mcp/enabled-servers.ts";
import type { AcpAgent, AcpPlace, Ask, IgnoredSettings } from "./acp-agent.ts";
import { AcpConnection } from "./acp-connection.ts";
import { type OpenedConversation, openConversation, openError, reopeningMethod } from "./conversation.ts";
import type { AcpOpened } from "./dialect.ts";
import { planLaunch } from "./launch.ts";
import { McpWatch } from "./mcp-watch.ts";
import { Replay } from "./replay.ts";
import {
  refusedSetting,
  type SettingRequest,
  settingRequests,
  unofferedVariant,
  variantRequests,
} from "./session-settings.ts";

const SETTING_TIMEOUT_MS = 30_000;

/** A connection with a conversation in it. */
export interface LiveConversation extends OpenedConversation {
  readonly connection: AcpConnection;
  /** Sentences about settings that the agent refused. */
  readonly refusals: string[];
  readonly servers: McpWatch;
  /** What the directory asks for and does not get, until it was told. */
  ignored: IgnoredSettings | undefined;
}

export interface LinkOptions {
  readonly agent: AcpAgent;
  readonly place: AcpPlace;
  /** What the session tells its agent besides the messages. */
  readonly instructions: string | undefined;
  /** What the agent says, without what it only repeats of a conversation that it takes up again. */
  takeCalls(calls: readonly JsonRpcCall[], connection: AcpConnection): void;
  leftOut(line: { bytes: number; head: string }): void;
  /** What the session wants now. */
  wanted(): Promise<SessionConfig>;
  /** Its modes as they are now, which may have changed since it was opened. */
  modes(): Pick<SessionConfig, "agentMode" | "permissionMode">;
  /** The agent's mode is about to be set to this one. */
  setsMode(modeId: string): void;
  /** A conversation was begun or taken up again; `known` is the one that was to be taken up. */
  opened(conversation: OpenedConversation, known: string | undefined): void;
  lost(error: SandboxError): void;
}

/** The process of a session and the conversation in it: there when it is needed, made anew when it was lost. */
export class AcpLink {
  readonly #options: LinkOptions;
  /** Also those that ended, until what they left behind is gone. */
  readonly #connections = new Set<AcpConnection>();
  #nativeId: string | undefined;
  #live: LiveConversation | undefined;
  #connecting: Promise<LiveConversation> | undefined;
  #closed = false;

  constructor(options: LinkOptions, nativeId: string | undefined) {
    this.#options = options;
    this.#nativeId = nativeId;
  }

  get live(): LiveConversation | undefined {
    return this.#live;
  }

  connect(): Promise<LiveConversation> {
    if (this.#live) return Promise.resolve(this.#live);
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** End the process of a conversation that can be taken up again; false when it cannot. */
  park(): boolean {
    const live = this.#live;
    if (!live || reopeningMethod(this.#options.agent, live.connection) === undefined) return false;
    this.#live = undefined;
    this.#end(live.connection, true).catch((err: unknown) => {
      this.#options.place.host.log.error({ err }, "an idle agent could not be ended");
    });
    return true;
  }

  /** End the process at once; the next prompt gets another one. */
  drop(): void {
    const live = this.#live;
    this.#live = undefined;
    if (!live) return;
    this.#end(live.connection, false).catch((err: unknown) => {
      this.#options.place.host.log.error({ err }, "an agent that did not stop could not be ended");
    });
  }

  /** For good. What is just being started is ended too. */
  async close({ politely }: { politely: boolean }): Promise<void> {
    this.#closed = true;
    this.#live = undefined;
    await Promise.all(Array.from(this.#connections, (connection) => this.#end(connection, politely)));
  }

  async #end(connection: AcpConnection, politely: boolean): Promise<void> {
    await connection.close({ politely });
    this.#connections.delete(connection);
  }

  async #open(): Promise<LiveConversation> {
    const { agent } = this.#options;
    const servers = new McpWatch(join(this.#options.place.host.dataDir, "mcp-servers"));
    const session = { ...this.#options.place.session, ...this.#options.modes() };
    const place = { ...this.#options.place, session, watchServer: servers.watched.bind(servers) };
    for (const [name, server] of enabledServers(place.session.mcp)) {
      if (server.type === "remote") void servers.reach(name, server.url, place.env);
    }
    const launch = await planLaunch(agent, place, this.#options.instructions);
    if (this.#closed) throw new SandboxError("session_ended", "The session was closed.", { agent: agent.id });
    const here = { ...place, env: launch.env };
    let replaying = true;
    const replay = new Replay(agent);
    const connection = new AcpConnection(agent, here, launch, {
      takeCalls: (calls) => {
        replay.take(calls);
        this.#options.takeCalls(replaying ? calls.filter(({ id }) => id !== undefined) : calls, connection);
      },
      leftOut: (line) => this.#options.leftOut(line),
      lost: (error) => {
        replay.stop();
        this.#lose(connection, error);
      },
    });
    this.#connections.add(connection);
    connection.whenClosed(() => servers.close());
    try {
      await connection.initialize();
      const known = this.#nativeId;
      const conversation = await openConversation(agent, here, connection, known);
      if (!conversation.isNew) await replay.over();
      replaying = false;
      this.#nativeId = conversation.nativeId;
      this.#options.opened(conversation, known);
      const wanted = await this.#options.wanted();
      const refusals = await this.#applySettings(connection, conversation, wanted);
      await this.#refusePlanning(connection, conversation, wanted);
      const ignored = await agent.quirks?.ignoredSettings?.(place);
      this.#live = { ...conversation, connection, refusals, servers, ignored };
      return this.#live;
    } catch (error) {
      await this.#end(connection, false);
      throw error instanceof JsonRpcError ? openError(agent, place, connection, error) : error;
    }
  }

  async #refusePlanning(
    connection: AcpConnection,
    { nativeId }: OpenedConversation,
    { permissionMode, sessionId }: SessionConfig,
  ): Promise<void> {
    const { agent } = this.#options;
    if (permissionMode !== "plan") return;
    const ask: Ask = (method, params) => connection.request(method, params, { timeoutMs: SETTING_TIMEOUT_MS });
    const why = await agent.quirks?.whyNotPlan?.(ask, nativeId);
    if (why !== undefined) throw new SandboxError("permission_denied", why, { agent: agent.id, sessionId });
  }

  async #applySettings(
    connection: AcpConnection,
    conversation: OpenedConversation,
    wanted: SessionConfig,
  ): Promise<string[]> {
    const { agent } = this.#options;
    const refusals: string[] = [];
    let current: AcpOpened = conversation.opened;
    const apply = async (request: SettingRequest) => {
      if (request.what === "mode") this.#options.setsMode(request.value);
      try {
        const answer = await connection.request<AcpOpened | null>(request.method, request.params, {
          timeoutMs: SETTING_TIMEOUT_MS,
        });
        current = { ...current, ...answer };
      } catch (error) {
        if (!(error instanceof JsonRpcError)) throw error;
        refusals.push(refusedSetting(agent, request, error, current));
      }
    };
    for (const request of settingRequests(agent, wanted, conversation)) await apply(request);
    const unoffered = unofferedVariant(agent, wanted, current);
    if (unoffered !== undefined) return [...refusals, unoffered];
    for (const request of variantRequests(wanted, conversation, current)) await apply(request);
    return refusals;
  }

  #lose(connection: AcpConnection, error: SandboxError): void {
    if (this.#live?.connection === connection) this.#live = undefined;
    this.#options.lost(error);
  }
}
