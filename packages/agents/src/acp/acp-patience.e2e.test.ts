// How long a turn may go on of which nothing is heard, and how it is ended.
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectSound } from "../contract/agent-contract.ts";
import type { AgentHarness } from "../contract/agent-harness.ts";
import { assistantText, eventsOf, partsOf } from "../contract/stream-readers.ts";
import { openPeer } from "./__fixtures__/open-peer.ts";
import type { AcpQuirks } from "./acp-agent.ts";
import type { AcpUpdate } from "./dialect.ts";

const soon = { SANDBOX_AGENT_RETRY_MS: "50" };

async function expectUsable(harness: AgentHarness): Promise<void> {
  const { events, outcome } = await harness.prompt("echo");
  expect(outcome.reason).toBe("completed");
  expect(assistantText(events)).toContain("echo");
  expectSound(harness);
}

test("an agent that only asks its model again is given up, and the turn ends with what it met", async () => {
  const met = { message: "The model is busy. Wait a little.", code: "rate_limit_exceeded" };
  const readRetry = ({ title }: AcpUpdate) => (title === "Trying again" ? met : undefined);
  const harness = await openPeer({}, { quirks: { readRetry } }, { env: soon });
  const { outcome, events } = await harness.prompt("retry");
  expect(outcome).toMatchObject({ reason: "error", message: met.message });
  expect(eventsOf(events, "error")).toHaveLength(1);
  await expectUsable(harness);
});

/** An agent that keeps a log. */
const log: AcpQuirks = {
  prepare: async ({ session }) => ({ PEER_LOG: join(session.directory, "peer.log") }),
  retryLog: {
    files: async ({ env }) => [env.PEER_LOG ?? ""],
    readRetry: (line) => / met (.+)$/.exec(line)?.[1],
  },
};

test("an agent that only tells its log that it asks its model again is given up all the same", async () => {
  const harness = await openPeer({}, { quirks: log }, { env: soon });
  const { outcome, events } = await harness.prompt("log met 429 Too Many Requests");
  expect(outcome).toMatchObject({ reason: "error", message: expect.stringMatching(/Wait a little/) });
  expect(partsOf(events, "status")).toMatchObject([{ label: "Trying again", detail: "429 Too Many Requests" }]);
  expect(eventsOf(events, "error")).toMatchObject([{ data: { code: "rate_limit_exceeded" } }]);
  await expectUsable(harness);
});

test("an agent that does not stop when its turn is given up is ended, and goes on with the next message", async () => {
  const harness = await openPeer({}, { quirks: log }, { env: soon });
  const { outcome } = await harness.prompt("deaf met 500 Internal Server Error");
  expect(outcome).toMatchObject({ reason: "error", message: expect.stringMatching(/in a while/) });
  const id = harness.nativeSessionId;
  await expectUsable(harness);
  expect(harness.nativeSessionId).toBe(id);
});

test("an agent of which nothing is heard is given up, with a word about the limit", async () => {
  const harness = await openPeer({}, {}, { env: { SANDBOX_AGENT_SILENCE_MS: "1000" } });
  const { outcome, events } = await harness.prompt("wait");
  expect(outcome).toMatchObject({ reason: "error", message: expect.stringMatching(/SANDBOX_AGENT_SILENCE_MS/) });
  expect(eventsOf(events, "error")).toMatchObject([{ data: { code: "timeout" } }]);
  await expectUsable(harness);
});

test("a tool that runs is no silence", async () => {
  const harness = await openPeer({}, {}, { env: { SANDBOX_AGENT_SILENCE_MS: "2000" } });
  expect((await harness.prompt("terminal sleep 2.5")).outcome.reason).toBe("completed");
});

test("a turn that the agent cancels by itself has failed", async () => {
  const harness = await openPeer();
  const { outcome, events } = await harness.prompt("stop");
  expect(outcome).toMatchObject({
    reason: "error",
    message: expect.stringMatching(/by itself.*Send the message again/),
  });
  expect(eventsOf(events, "error")).toMatchObject([{ data: { code: "cancelled" } }]);
  await expectUsable(harness);
});

test("a turn that the agent cancels because it was refused something was interrupted, and says so", async () => {
  const harness = await openPeer();
  const turn = harness.prompt("refused");
  const { data } = await harness.next("permission.requested");
  await harness.answerPermission(data.permission_id, "reject");
  const { outcome, events } = await turn;
  expect(outcome).toMatchObject({ reason: "interrupted", message: expect.stringMatching(/refused/) });
  expect(eventsOf(events, "error")).toEqual([]);
  await expectUsable(harness);
});
