/**
 * Feared: a runtime, a sandbox or both that are killed at the worst moment, and with them an event that was shown, a message
 * that was taken or an answer that was acknowledged; a turn that runs twice or for ever; a session that starts for ever; a
 * sandbox, a process or a control group that nobody owns. `npm run crash` does it 200 times.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { openSqliteStore } from "@sandbox-agent-ts/runtime";
import { expect, onTestFailed, onTestFinished, test } from "vitest";
import { inRoot } from "../../../../scripts/root.mjs";
import { agentText, session } from "../../../daemon/src/__fixtures__/client.ts";
import { eventually } from "../../../daemon/src/__fixtures__/eventually.ts";
import { type Random, seededRandom } from "../../../daemon/src/__fixtures__/seeded-random.ts";
import { findBubblewrap } from "../../../runtime/src/sandboxes/local/bubblewrap.ts";
import { CliHome } from "../__fixtures__/cli-home.ts";
import { kill, MarkedSandboxes, placesOf, type SandboxProcess } from "./__fixtures__/marked-sandboxes.ts";
import { RuntimeProcess } from "./__fixtures__/runtime-process.ts";
import { hostile, Talk, talkingAgents } from "./__fixtures__/talk.ts";

const rounds = Number(process.env.SANDBOX_AGENT_CRASH_ROUNDS ?? 8);
const seed = Number(process.env.SANDBOX_AGENT_CRASH_SEED ?? 20_261_118);
const secondsPerRound = 60;
const longestLifeMs = 1_200;
const sessionsAtOnce = 3;
const logTail = 10_000;
const anyNumber = 2 ** 31;
/** Of so many rounds, answers to what was asked before a restart are to be expected among them. */
const manyRounds = 40;

/** All kinds come equally often, in an order that chance decides. */
const kinds = ["runtime", "daemon", "sandbox", "both", "catalog"] as const;
type Kind = (typeof kinds)[number];

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const left = [...list];
  return list.flatMap(() => left.splice(random.below(left.length), 1));
}

/** Whom to kill, as soon as there is somebody. */
function victimsOf(what: Kind, number: number, processes: readonly SandboxProcess[]): readonly SandboxProcess[] {
  const isCatalog = what === "catalog";
  const daemons = processes.filter(({ isDaemon, sandbox }) => isDaemon && (sandbox === undefined) === isCatalog);
  if (daemons.length === 0) throw new Error(`There is no process to kill for "${what}".`);
  const daemon = daemons[number % daemons.length]!;
  return what === "sandbox" ? processes.filter(({ sandbox }) => sandbox === daemon.sandbox) : [daemon];
}

/** Where agents post what they are asked, also from inside of sandboxes. */
async function notebook(): Promise<{ url: string; lines: string[] }> {
  const lines: string[] = [];
  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      lines.push(Buffer.concat(chunks).toString());
      response.end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, lines };
}

test(`${rounds} kills of the runtime, of sandboxes, of their daemons or of both at random moments of turns (seed ${seed})`, {
  timeout: rounds * secondsPerRound * 1_000,
}, async () => {
  const random = seededRandom(seed);
  const home = await CliHome.create();
  const places = placesOf(home.dataDir);
  const sandboxes = new MarkedSandboxes(home);
  onTestFinished(() => sandboxes.clear());
  const prompts = await notebook();
  const program = readFileSync(inRoot("scripts/attack/hostile-agent.mjs"), "utf8");
  const args = ["--input-type=module", "-e", program];
  const agent = { id: hostile, command: "node", args, env: { PROMPTS: prompts.url } };
  const env = { SANDBOX_AGENT_ACP_AGENTS: JSON.stringify([agent]) };
  const isolations = "path" in findBubblewrap() ? ["none", "bubblewrap"] : ["none"];
  const start = () => RuntimeProcess.start(home, { env, flags: ["--isolation", random.pick(isolations)] });
  const tally = Object.fromEntries(kinds.map((kind) => [kind, 0]));
  const deleted: string[] = [];
  let deck: Kind[] = [];
  let talks: Talk[] = [];
  let lateAnswers = 0;
  let runtime = await start();
  onTestFailed(() => console.error(`The runtime's last words:\n${runtime.log.slice(-logTail)}`));

  const leave = async (talk: Talk) => {
    const { id } = talk.witness;
    expect((await runtime.client.call("DELETE", session(id))).status).toBe(204);
    lateAnswers += talk.witness.lateAnswers;
    talks = talks.filter((other) => other !== talk);
    deleted.push(id);
  };
  /** Nobody uses the store meanwhile: the runtime is stopped. */
  const expectOwned = async () => {
    await runtime.end("SIGTERM");
    const store = await openSqliteStore(places.store);
    await sandboxes.expectOwned(store);
    await store.close();
    runtime = await start();
  };

  for (let round = 1; round <= rounds; round++) {
    if (deck.length === 0) deck = shuffled(kinds, random);
    const what = deck.pop()!;
    const [lifeMs, victim, newcomer] = [random.below(longestLifeMs), random.below(anyNumber), random.below(3)];
    const [talkSeed, talker] = [random.below(anyNumber), random.pick(talkingAgents)];
    if (talks.length < sessionsAtOnce || newcomer === 0) {
      talks.push(new Talk(`session-${round}`, talker, seededRandom(talkSeed)));
    }
    const disturbing = Promise.allSettled(talks.map((talk) => talk.disturb(runtime.client)));
    await sleep(lifeMs);
    // It is started by the first who asks for agents.
    if (what === "catalog") await runtime.client.call("GET", "/v1/agents");
    const victims = what === "runtime" ? [] : await eventually(() => victimsOf(what, victim, sandboxes.processes));
    for (const { pid } of victims) kill(pid);
    const isOver = what === "runtime" || what === "both";
    if (isOver) await runtime.end("SIGKILL");
    tally[what]! += 1;
    const outcomes = await disturbing;
    if (isOver) runtime = await start();
    else
      expect(
        outcomes.filter(({ status }) => status === "rejected"),
        "calls to a runtime that lives",
      ).toEqual([]);
    await Promise.all(talks.map(({ witness }) => witness.expectKept(runtime.client)));
    if (random.below(3) > 0 && round < rounds) continue;

    await Promise.all(talks.map((talk) => talk.settle(runtime.client)));
    for (const talk of talks.slice(0, Math.max(0, talks.length - sessionsAtOnce))) await leave(talk);
    for (const id of deleted.splice(0)) expect((await runtime.client.call("GET", session(id))).status).toBe(404);
    if (random.below(4) === 0) await expectOwned();
    console.log(`round ${round} of ${rounds}: settled; killed so far ${JSON.stringify(tally)}`);
  }
  const asked = prompts.lines;
  expect(
    asked.filter((prompt, index) => asked.indexOf(prompt) !== index),
    "run twice",
  ).toEqual([]);
  for (const { witness } of talks.filter((talk) => talk.witness.agent === "mock")) {
    expect(agentText(await runtime.client.turn(witness.id, "echo still here"))).toBe("still here");
  }
  await expectOwned();
  for (const talk of [...talks]) await leave(talk);
  await runtime.end("SIGTERM");
  await eventually(() => expect([sandboxes.processes, sandboxes.folders, sandboxes.groups]).toEqual([[], [], []]));
  console.log(`${asked.length} prompts to the noting agent, ${lateAnswers} answers after a restart of the runtime`);
  if (rounds >= manyRounds) expect(lateAnswers).toBeGreaterThan(0);
});
