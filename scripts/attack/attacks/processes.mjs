import { eventually, isAlive, must } from "../daemon.mjs";

/**
 * @param {import("../daemon.mjs").World} world
 * @param {Awaited<ReturnType<import("../daemon.mjs").World["start"]>>} daemon
 * @param {string} how
 */
async function leave(world, daemon, how) {
  await daemon.create("s");
  const text = await daemon.turn("s", `leave ${how}`);
  const pid = Number(/pid (\d+)/.exec(text)?.[1]);
  must(isAlive(pid), "the process did not run at all");
  return world.remember(pid);
}

const gone = (/** @type {number} */ pid) => eventually(() => !isAlive(pid), `process ${pid} is left running`);
const ways = /** @type {const} */ (["session", "environment", "parent", "name"]);

/** @type {import("../attacks.mjs").Attack[]} */
export const processes = [
  ...ways.map((how) => ({
    name: `a process that sheds its ${how}: terminate`,
    async run(/** @type {import("../daemon.mjs").World} */ world) {
      const daemon = await world.start();
      const pid = await leave(world, daemon, how);
      await daemon.call("POST", "/v1/sessions/s/terminate");
      await gone(pid);
    },
  })),
  ...ways.map((how) => ({
    name: `a process that sheds its ${how}: kill -9 and the next start`,
    async run(/** @type {import("../daemon.mjs").World} */ world) {
      const daemon = await world.start();
      const pid = await leave(world, daemon, how);
      await daemon.kill();
      await (await world.start()).call("GET", "/v1/sessions");
      await gone(pid);
    },
  })),
  {
    name: "what an ephemeral daemon leaves when it is killed",
    async run(world) {
      const daemon = await world.start({ flags: ["--ephemeral"] });
      const pid = await leave(world, daemon, "session");
      await daemon.kill();
      await (await world.start({ flags: ["--ephemeral"] })).call("GET", "/v1/sessions");
      await gone(pid);
    },
  },
  {
    name: "SIGTERM while an agent hangs",
    async run(world) {
      const daemon = await world.start();
      await daemon.create("s");
      await daemon.call("POST", "/v1/sessions/s/messages", { message: "hang" });
      await daemon.stop();
    },
  },
];
