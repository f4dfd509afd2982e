import type { AgentHost, PromptInput, SessionConfig } from "../../agent.ts";
import type { ServerPlace } from "../../shared-server/shared-servers.ts";
import { prepareSkills, type Skill } from "../../skills/prepare-skills.ts";
import { sessionInstructions } from "../../skills/session-instructions.ts";
import { conversationRules, findAgents, type LoadedConversation, loadConversation } from "./conversation.ts";
import type { PermissionRule } from "./dialect.ts";
import { agentName, isPlanning } from "./modes.ts";
import { toldRules } from "./permission-rules.ts";
import { projectInstructions } from "./project-settings.ts";
import { checkImages, promptParts } from "./prompt-parts.ts";
import type { OpencodeServer, SessionListener } from "./server/opencode-server.ts";

const ABORT_TIMEOUT_MS = 5_000;

export interface LinkOptions {
  readonly host: AgentHost;
  readonly place: ServerPlace<OpencodeServer>;
  /** The server reads nothing of the directory, so its instructions are told with each message. */
  readonly isDistrusted: boolean;
  readonly listener: SessionListener;
  /** A conversation was begun or taken up again; `known` is the one that was to be taken up. */
  opened(conversation: LoadedConversation, known: string | undefined): void;
}

/** A session's conversation and the server it is on: there when it is needed, found again when the server was lost. */
export class ConversationLink {
  readonly #options: LinkOptions;
  /** As it is now: the session of an approved plan goes on with other modes. */
  session: SessionConfig;
  #instructions: string | undefined;
  #skills: readonly Skill[] = [];
  /** The server on which the session's directory is in use. */
  #entered: OpencodeServer | undefined;
  #live: LoadedConversation | undefined;
  #loading: Promise<LoadedConversation> | undefined;
  /** The rules that the conversation has, to say them again only when they change. */
  #rules: { readonly said: string; readonly rules: readonly PermissionRule[] } = { said: "", rules: [] };

  constructor(options: LinkOptions, session: SessionConfig) {
    this.#options = options;
    this.session = session;
  }

  /** Everything that can be found wrong before the first prompt. */
  async check(): Promise<void> {
    const { host, isDistrusted } = this.#options;
    this.#skills = await prepareSkills(host, this.session);
    const own = await sessionInstructions(host, this.session);
    const ofDirectory = isDistrusted ? await projectInstructions(this.session.directory) : undefined;
    this.#instructions = [ofDirectory, own].filter(Boolean).join("\n\n") || undefined;
    await findAgents(await this.#enter(), this.session);
  }

  async load(known: string | undefined): Promise<LoadedConversation> {
    if (this.#live) await this.#options.place.endIfSilent();
    if (this.#live) return this.#live;
    this.#loading ??= this.#load(known).finally(() => {
      this.#loading = undefined;
    });
    return this.#loading;
  }

  /** Makes the rules of the session those of the conversation. */
  async sayRules(): Promise<readonly PermissionRule[]> {
    if (!this.#live) return this.#rules.rules;
    const rules = conversationRules(this.#live, this.session, this.#skills);
    const told = toldRules(rules, isPlanning(this.session));
    const said = JSON.stringify(told);
    if (said !== this.#rules.said) await this.#say("PATCH", "", { body: { permission: told } });
    this.#rules = { said, rules };
    return rules;
  }

  async prompt(input: PromptInput): Promise<void> {
    const { directory } = this.session;
    await checkImages(input, directory);
    await this.say(promptParts(input, directory));
  }

  /** What is said while something runs goes to the model after it, in the same turn. */
  async say(parts: readonly object[]): Promise<void> {
    const { variant } = this.session;
    const model = this.#live?.model;
    const body = {
      parts,
      agent: agentName(this.session),
      ...(model ? { model } : {}),
      ...(variant === undefined ? {} : { variant }),
      ...(this.#instructions === undefined ? {} : { system: this.#instructions }),
    };
    await this.#say("POST", "/prompt_async", { body });
  }

  async abort(): Promise<void> {
    await this.#say("POST", "/abort", { timeoutMs: ABORT_TIMEOUT_MS });
  }

  async endServerIfSilent(): Promise<void> {
    await this.#options.place.endIfSilent();
  }

  /** Says something about a request. */
  async answer(path: string, body?: object): Promise<void> {
    const { directory } = this.session;
    await this.#live?.server.request("POST", path, { directory, ...(body ? { body } : {}) });
  }

  /** What it leaves behind goes with the session. */
  noteCommand(command: string): void {
    this.#live?.server.commands.add(this, command);
  }

  /** Ends what the commands since then left behind; as `processClock` tells it. */
  async endLeftovers(since: number): Promise<void> {
    await this.#live?.server.commands.endLeftovers(this, since);
  }

  async isBusy(): Promise<boolean> {
    if (!this.#live) return false;
    const { server, sessionId } = this.#live;
    const { directory } = this.session;
    return Object.hasOwn(await server.request<object>("GET", "/session/status", { directory }), sessionId);
  }

  /** The server is gone. */
  forget(): void {
    this.#live = undefined;
    this.#rules = { said: "", rules: [] };
  }

  /** `stop` ends what the conversation does. */
  async close(stop: () => Promise<void>): Promise<void> {
    const live = this.#live ?? (await this.#loading?.catch(() => undefined));
    try {
      if (live) await stop();
      await live?.server.commands.leave(this);
      await live?.mcp.release();
      if (this.#entered?.alive) await this.#entered.directories.leave(this.session.directory);
    } finally {
      live?.server.detach(this.#options.listener);
    }
  }

  async #enter(): Promise<OpencodeServer> {
    const server = await this.#options.place.get();
    if (this.#entered !== server) {
      this.#entered = server;
      await server.directories.enter(this.session.directory);
    }
    return server;
  }

  async #load(known: string | undefined): Promise<LoadedConversation> {
    const { place, listener, opened } = this.#options;
    const live = await loadConversation(await this.#enter(), known, this.session, place.launch.env);
    this.#live = live;
    live.server.attach(live.sessionId, listener);
    opened(live, known);
    return live;
  }

  async #say(method: string, path: string, options: { body?: object; timeoutMs?: number }): Promise<void> {
    if (!this.#live) return;
    const { server, sessionId } = this.#live;
    await server.request(method, `/session/${sessionId}${path}`, { directory: this.session.directory, ...options });
  }
}
