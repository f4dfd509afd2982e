import type { Context } from "hono";
import { type Action, ensureMay, type OwnedSession } from "../../access/may.ts";
import type { Principal } from "../../access/principal.ts";
import type { AgentRuntime } from "../../runtime.ts";
import type { AgentSession } from "../../sessions/agent-session.ts";

/** What the operations under `/api` are made with. */
export class ApiContext {
  readonly runtime: AgentRuntime;
  readonly principalOf: (c: Context) => Principal;

  constructor(runtime: AgentRuntime, principalOf: (c: Context) => Principal) {
    this.runtime = runtime;
    this.principalOf = principalOf;
  }

  /** The session that the path names, for those who may do this with it; nothing is loaded. */
  async find(c: Context, action: Action): Promise<OwnedSession> {
    const session = await this.runtime.sessions.ownership(c.req.param("sessionId")!);
    ensureMay(this.principalOf(c), action, session);
    return session;
  }

  /** The same, loaded. */
  async use(c: Context, action: Action): Promise<AgentSession> {
    return this.runtime.sessions.loadSession((await this.find(c, action)).sessionId);
  }
}
