/**
 * Feared: a daemon that is killed at the worst moment and forgets what it had promised: an event that was shown, a message
 * that was taken, a decision that was acknowledged; a turn that runs twice or for ever; an agent that lives on unseen.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { UniversalEvent } from "@sandbox-agent-ts/protocol";
import { expect, test } from "vitest";
import { agentProcesses } from "../__fixtures__/agent-processes.ts";
import { agentText, type Client, ofType } from "../__fixtures__/client.ts";
import { DaemonProcess } from "../__fixtures__/daemon-process.ts";
import { eventually } from "../__fixtures__/eventually.ts";
import { type Random, seededRandom } from "../__fixtures__/seeded-random.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { Witness } from "../__fixtures__/witness.ts";

const rounds = 12;
const longestLifeMs = 500;
const messagesPerLife = 6;
const longestPauseMs = 30;

const messages = {
  mock: ["echo some words", "slow 10 5", "tool", "permission", "burst 3000 200", "markdown", "error"],
  fake: [
    "some words",
    "slow 10 5",
    "permission",
    "flood 3000 300",
    "crash 3",
    "half-char",
    "grandchild-detached",
    "fail",
  ],
};

/** The turn that was running when the daemon died, by the file it left. */
function turnLeftOpen(dataDir: string, id: string): string | undefined {
  const file = join(dataDir, "sessions", id, "events.jsonl");
  if (!existsSync(file)) return undefined;
  let open: string | undefined;
  for (const line of readFileSync(file, "utf8").split("\n").slice(0, -1)) {
    const event: UniversalEvent = JSON.parse(line);
    if (event.type === "turn.started") open = event.data.turn_id;
    if (event.type === "turn.ended") open = undefined;
  }
  return open;
}

/** Messages for everybody, until the daemon is gone. */
async function disturb(client: Client, witness: Witness, random: Random): Promise<void> {
  await witness.create(client);
  await witness.follow(client);
  for (let n = 0; n < messagesPerLife; n++) {
    await witness.send(client, random.pick(messages[witness.agent as keyof typeof messages]));
    await sleep(random.below(longestPauseMs));
  }
}

function expectGone(pids: readonly number[], dataDir: string): void {
  const alive = agentProcesses(dataDir).map(({ pid }) => pid);
  expect(alive.filter((pid) => pids.includes(pid))).toEqual([]);
}

async function expectClosedAsRestarted(client: Client, open: ReadonlyMap<string, string>): Promise<void> {
  for (const [id, turnId] of open) {
    const ended = ofType(await client.events(id), "turn.ended").find(({ data }) => data.turn_id === turnId);
    expect(ended?.data.metadata).toMatchObject({
      reason: "error",
      message: expect.stringContaining("daemon restarted"),
    });
  }
}

test(`${rounds} kills at random moments during a flood of turns`, { timeout: 90_000 }, async () => {
  const dataDir = temporaryDirectory();
  const random = seededRandom(20_240_607);
  const witnesses: Witness[] = [];
  let openTurns = new Map<string, string>();
  let left: number[] = [];
  let leftInAll = 0;
  let openInAll = 0;

  for (let round = 0; round < rounds; round++) {
    const daemon = await DaemonProcess.start({ dataDir });
    const { client } = daemon;
    await client.call("GET", "/v1/sessions");
    expectGone(left, dataDir);
    for (const witness of witnesses) await witness.expectKept(client);
    await expectClosedAsRestarted(client, openTurns);

    witnesses.push(new Witness(`session-${round}`, random.pick(["mock", "fake"]), random));
    const disturbing = witnesses.slice(-4).map((witness) => disturb(client, witness, random).catch(() => {}));
    await sleep(random.below(longestLifeMs));
    await daemon.kill();
    await Promise.all(disturbing);

    left = agentProcesses(dataDir).map(({ pid }) => pid);
    openTurns = new Map(
      witnesses.flatMap(({ id }) => {
        const turnId = turnLeftOpen(dataDir, id);
        return turnId === undefined ? [] : [[id, turnId] as const];
      }),
    );
    leftInAll += left.length;
    openInAll += openTurns.size;
  }
  expect(Math.min(leftInAll, openInAll), "kills that hit something").toBeGreaterThan(0);
  expect(witnesses.every(({ promiseCount }) => promiseCount === 0)).toBe(false);

  const { client } = await DaemonProcess.start({ dataDir });
  await client.call("GET", "/v1/sessions");
  expectGone(left, dataDir);
  await expectClosedAsRestarted(client, openTurns);
  for (const witness of witnesses) {
    await witness.create(client);
    await witness.expectKept(client);
    await witness.follow(client);
    await eventually(() => expect(witness.open).toEqual([]), 30_000);
    await eventually(async () => expect((await client.info(witness.id)).status).toBe("idle"));
    await witness.expectTold(client);
    expect(agentText(await client.turn(witness.id, "hello again"))).toBe("hello again");
  }
});
