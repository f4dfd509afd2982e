import { appendFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, must } from "../daemon.mjs";

/** A session with some turns whose daemon was stopped. */
async function withTurns(/** @type {import("../daemon.mjs").World} */ world, turns = 5) {
  const daemon = await world.start();
  await daemon.create("s");
  for (let turn = 0; turn < turns; turn++) await daemon.turn("s", `message ${turn}`);
  await daemon.stop();
}

const lost = /** @type {const} */ ([
  ["deleted", (/** @type {string} */ file) => rmSync(file)],
  ["empty", (/** @type {string} */ file) => truncateSync(file, 0)],
  ["cut to its half", (/** @type {string} */ file) => truncateSync(file, Math.floor(readFileSync(file).length / 2))],
]);

/** @type {import("../attacks.mjs").Attack[]} */
export const damage = [
  ...lost.map(([how, lose]) => ({
    name: `a log that is ${how}: old messages are not run again`,
    async run(/** @type {import("../daemon.mjs").World} */ world) {
      await withTurns(world);
      lose(join(world.sessionFolder, "events.jsonl"));
      rmSync(join(world.sessionFolder, "checkpoint.json"), { force: true });
      const daemon = await world.start();
      await daemon.call("GET", "/v1/sessions/s");
      await daemon.create("other");
      await daemon.turn("other", "later");
      must(world.asked.length === 6, `the agent was asked ${world.asked.length} times in place of 6`);
    },
  })),
  {
    name: "a lost newline and NULs in the middle of a log",
    async run(world) {
      await withTurns(world);
      const file = join(world.sessionFolder, "events.jsonl");
      const bytes = readFileSync(file);
      const middle = bytes.indexOf(10, Math.floor(bytes.length / 2));
      bytes[middle] = 32;
      bytes.fill(0, middle + 200, middle + 220);
      writeFileSync(file, bytes);
      const daemon = await world.start();
      const answer = await daemon.call("GET", "/v1/sessions/s/events");
      const page = answer.json();
      must(answer.status === 500 || Array.isArray(page.events), `it answers ${answer.text.slice(0, 200)}`);
      for (const [at, event] of (page.events ?? []).entries()) {
        must(event.sequence === at + 1, `event ${at + 1} has the sequence ${event.sequence}`);
      }
      await daemon.create("other");
    },
  },
  {
    name: "a tail of 160 MB without a newline",
    limitMs: 90_000,
    async run(world) {
      await withTurns(world, 1);
      appendFileSync(join(world.sessionFolder, "events.jsonl"), Buffer.alloc(160 * 1024 * 1024, "x"));
      const daemon = await world.start();
      const end = performance.now() + 10_000;
      while (performance.now() < end) {
        await daemon.mustBeHealthy(5_000);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      must((await daemon.call("GET", "/v1/sessions/s")).status === 200, "the session is gone");
    },
  },
  {
    name: "a checkpoint that says null",
    async run(world) {
      await withTurns(world, 1);
      writeFileSync(join(world.sessionFolder, "checkpoint.json"), "null");
      const daemon = await world.start();
      const list = await daemon.call("GET", "/v1/sessions");
      must(list.status === 200 && list.text.includes('"s"'), `GET /v1/sessions answers ${list.text.slice(0, 200)}`);
    },
  },
  {
    name: "a session whose record is garbage can be seen and deleted",
    async run(world) {
      await withTurns(world, 1);
      const folder = world.sessionFolder;
      writeFileSync(join(folder, "session.json"), "{");
      const daemon = await world.start();
      const list = await daemon.call("GET", "/v1/sessions");
      must(list.status === 200, `GET /v1/sessions answers ${list.status}`);
      const [found] = list.json().sessions;
      must(found !== undefined, "it is not listed");
      const deleted = await daemon.call("DELETE", `/v1/sessions/${encodeURIComponent(found.sessionId)}`);
      must(deleted.status === 204, `DELETE answers ${deleted.status}: ${deleted.text}`);
      await eventually(() => !existsSync(folder), "its folder is still there");
    },
  },
];
