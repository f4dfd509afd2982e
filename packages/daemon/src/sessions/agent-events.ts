import type { EventDraft } from "@sandbox-agent-ts/protocol";
import type { DirectoryChanges } from "../changes/directory-changes.ts";
import type { AgentLink } from "./agent-link.ts";
import { nativePermissionMode, type SessionConfig } from "./session-config.ts";
import type { SessionRecorder } from "./session-recorder.ts";
import type { SessionRequests } from "./session-requests.ts";

export interface AgentEventsOptions {
  readonly recorder: SessionRecorder;
  readonly agent: AgentLink;
  readonly requests: SessionRequests;
  readonly changes: DirectoryChanges;
  /** The settings that hold now. */
  readonly config: () => SessionConfig;
  /** Something is recorded. */
  readonly onRecorded: () => void;
  /** `session.ended` is recorded. */
  readonly onSessionEnded: () => Promise<void>;
  /** What the agent emitted could not be recorded. */
  readonly onFailure: (error: unknown) => Promise<void>;
}

/** What the agent emits on its way to the log: held back until the session has started, and through the policy. */
export class AgentEvents {
  readonly #options: AgentEventsOptions;
  #early: EventDraft[] = [];

  constructor(options: AgentEventsOptions) {
    this.#options = options;
  }

  /** What was emitted before `session.started` was recorded. */
  takeEarly(): EventDraft[] {
    const early = this.#early;
    this.#early = [];
    return early;
  }

  emit(drafts: readonly EventDraft[]): void {
    const { recorder, agent, requests, changes, onRecorded, onSessionEnded, onFailure } = this.#options;
    const isEnded = () => recorder.state.ended !== null;
    if (isEnded()) return;
    if (drafts.some((draft) => draft.type === "item.started" && draft.data.item.kind === "tool_call")) {
      changes.agentActs();
    }
    if (!recorder.state.started) {
      this.#early.push(...drafts);
      return;
    }
    for (const draft of drafts) if (draft.type === "session.updated") agent.noteChanges(draft.data.changes);
    const news = drafts.filter((draft) => this.#isNews(draft)).map((draft) => this.#ofSession(draft));
    const gated = requests.gate(news);
    recorder
      .record(gated.drafts)
      .then(() => {
        requests.tell(gated);
        onRecorded();
        return isEnded() ? onSessionEnded() : undefined;
      })
      .catch(onFailure);
  }

  /** Late answers of an agent to requests a person has settled are not news; what an earlier `always` decided is. */
  #isNews(draft: EventDraft): boolean {
    const { permissions, questions } = this.#options.recorder.state;
    if (draft.type === "permission.resolved") {
      return draft.data.resolved_by === "remembered" || draft.data.permission_id in permissions;
    }
    if (draft.type === "question.resolved") return draft.data.question_id in questions;
    return true;
  }

  /** Under a policy the agent works in another permission mode than the session: going back to that one changes nothing. */
  #ofSession(draft: EventDraft): EventDraft {
    if (draft.type !== "session.updated") return draft;
    const config = this.#options.config();
    const { permission_mode, ...others } = draft.data.changes;
    if (!config.policy || permission_mode !== nativePermissionMode(config)) return draft;
    return { ...draft, data: { ...draft.data, changes: others } };
  }
}
