import { checkSchema, checkStream } from "@sandbox-agent/protocol";
import { expect, onTestFinished } from "vitest";
import type { AgentAdapter, SessionConfig } from "../agent.ts";
import { AgentHarness, type HarnessTurn } from "./agent-harness.ts";
import type { AgentScenario, ProvokingMessage } from "./agent-scenario.ts";
import { features } from "./features.ts";

export type MakeAdapter = () => AgentAdapter | Promise<AgentAdapter>;

/** What the parts of the suite share: an agent to open sessions of, and the scenario to play. */
export class AgentContract {
  readonly scenario: AgentScenario;
  readonly #makeAdapter: MakeAdapter;

  constructor(makeAdapter: MakeAdapter, scenario: AgentScenario) {
    this.#makeAdapter = makeAdapter;
    this.scenario = scenario;
  }

  /** An adapter that is closed when the test is over. */
  async adapter(): Promise<AgentAdapter> {
    const adapter = await this.#makeAdapter();
    onTestFinished(() => adapter.close?.());
    return adapter;
  }

  /** A session that is closed when the test is over. */
  async open(session: Partial<SessionConfig> = {}, adapter?: AgentAdapter): Promise<AgentHarness> {
    const prepared = (await this.scenario.prepare?.()) ?? {};
    const harness = await AgentHarness.open(adapter ?? (await this.adapter()), session, prepared);
    onTestFinished(() => harness.dispose());
    return harness;
  }

  /** The session still answers, where the scenario knows how to make it. */
  async expectUsable(harness: AgentHarness): Promise<void> {
    const { text } = this.scenario.provoke;
    if ("skip" in text) return;
    const { outcome, events } = await promptWith(harness, text);
    expect(outcome.reason).toBe("completed");
    expect(features.text.shown(events)).toBe(true);
    expectSound(harness);
  }
}

export function promptWith(harness: AgentHarness, provocation: ProvokingMessage): Promise<HarnessTurn> {
  return harness.prompt(provocation.message, provocation.attachments);
}

/** Everything a stream owes its readers: the schema, the invariants, the rules of the seam, and nothing unread. */
export function expectSound(harness: AgentHarness, allow: { unparsed?: boolean } = {}): void {
  expect(harness.breaches).toEqual([]);
  expect(checkStream(harness.events)).toEqual([]);
  expect(checkSchema(harness.events)).toEqual([]);
  if (!allow.unparsed) expect(harness.events.filter((event) => event.type === "agent.unparsed")).toEqual([]);
}
