import { join } from "node:path";
import { checkSchema, checkStream, type FileAttachment, type UniversalEvent } from "@sandbox-agent-ts/protocol";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { AgentAdapter, SessionConfig } from "../agent.ts";
import { AgentHarness, type HarnessTurn } from "./agent-harness.ts";
import type { AgentScenario, ProvokingMessage } from "./agent-scenario.ts";
import { type ContractWorld, makeContractWorld } from "./contract-world.ts";
import { type FeatureName, features } from "./features.ts";
import { assistantText } from "./stream-readers.ts";

export type MakeAdapter = () => AgentAdapter | Promise<AgentAdapter>;

/** Real programs on a busy machine. */
const TEST_TIMEOUT_MS = 120_000;
const INSTALL_TIMEOUT_MS = 600_000;
const CLOSE_TIMEOUT_MS = 60_000;

/** What the parts of the suite share: one world, one adapter in it, and the scenario to play. */
export class AgentContract {
  readonly scenario: AgentScenario;
  /** The features whose tests have passed. */
  readonly seen = new Set<FeatureName>();
  readonly #makeAdapter: MakeAdapter;
  #world: ContractWorld | undefined;
  #adapter: AgentAdapter | undefined;
  #sessions = 0;

  constructor(makeAdapter: MakeAdapter, scenario: AgentScenario) {
    this.#makeAdapter = makeAdapter;
    this.scenario = scenario;
  }

  /** Make the world before the first test of the suite and end it after the last. */
  setUp(): void {
    beforeAll(async () => {
      this.#world = await makeContractWorld(this.scenario);
      this.#adapter = await this.#makeAdapter();
      await this.#world.installProgramOf(this.#adapter);
    }, INSTALL_TIMEOUT_MS);
    afterAll(async () => {
      await this.#adapter?.close?.();
      await this.#world?.dispose();
    }, CLOSE_TIMEOUT_MS);
  }

  get world(): ContractWorld {
    if (!this.#world) throw new Error("The world is made before the first test and not earlier.");
    return this.#world;
  }

  get adapter(): AgentAdapter {
    if (!this.#adapter) throw new Error("The adapter is made before the first test and not earlier.");
    return this.#adapter;
  }

  /** The test of a feature, or a skipped one whose title says why the agent does not have it. */
  feature(name: FeatureName, run: (by: ProvokingMessage) => Promise<void>): void {
    const provocation = this.scenario.provoke[name];
    const { title } = features[name];
    if ("skip" in provocation) {
      test.skip(`${title} (skipped: ${provocation.skip})`, () => {});
      return;
    }
    test(title, { timeout: TEST_TIMEOUT_MS }, async () => {
      await run(provocation);
      this.seen.add(name);
    });
  }

  /** A session as the provocation wants it, closed when the test is over; one that goes on with `restored`, if given. */
  async open(by: Partial<ProvokingMessage> = {}, restored?: readonly UniversalEvent[]): Promise<AgentHarness> {
    const { host, session } = this.world;
    const directory = await this.world.makeDirectory(by.files);
    if (by.homeFiles) onTestFinished(await this.world.changeHome(by.homeFiles), CLOSE_TIMEOUT_MS);
    const config: Partial<SessionConfig> = { sessionId: `contract-${++this.#sessions}`, directory };
    const given = { ...config, ...session, ...by.session };
    const harness = await AgentHarness.open(this.adapter, given, { host }, restored);
    onTestFinished(async () => {
      await harness.dispose();
      this.world.lines.keep(harness.events.flatMap(({ raw }) => (typeof raw === "string" ? [raw] : [])));
    }, CLOSE_TIMEOUT_MS);
    return harness;
  }

  /** The session still answers, where the scenario knows how to make it. */
  async expectUsable(harness: AgentHarness): Promise<void> {
    const { text } = this.scenario.provoke;
    if ("skip" in text) return;
    const { outcome, events } = await promptWith(harness, text);
    expect(outcome).toMatchObject({ reason: "completed" });
    expect(assistantText(events)).toContain(text.replies ?? "");
    expectSound(harness);
  }
}

export function promptWith(harness: AgentHarness, { message, attach = [] }: ProvokingMessage): Promise<HarnessTurn> {
  const attachments = attach.map(
    ({ file, mime }): FileAttachment => ({
      path: join(harness.directory, file),
      filename: file,
      ...(mime === undefined ? {} : { mime }),
    }),
  );
  return harness.prompt(message, attachments);
}

/** Everything a stream owes its readers: the schema, the invariants, the rules of the seam, and nothing unread. */
export function expectSound(harness: AgentHarness, allow: { unparsed?: boolean } = {}): void {
  expect(harness.breaches).toEqual([]);
  expect(checkStream(harness.events)).toEqual([]);
  expect(checkSchema(harness.events)).toEqual([]);
  if (!allow.unparsed) expect(harness.events.filter((event) => event.type === "agent.unparsed")).toEqual([]);
}
