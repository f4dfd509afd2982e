import { connections } from "./attacks/connections.mjs";
import { damage } from "./attacks/damage.mjs";
import { files } from "./attacks/files.mjs";
import { install } from "./attacks/install.mjs";
import { memory } from "./attacks/memory.mjs";
import { processes } from "./attacks/processes.mjs";
import { World, within } from "./daemon.mjs";

/**
 * One thing that must not break a daemon.
 * @typedef {object} Attack
 * @property {string} name
 * @property {number} [limitMs]
 * @property {() => string | undefined} [whyNot] why it cannot be tried on this machine
 * @property {(world: World) => Promise<void>} run throws what broke
 */

const defaultLimitMs = 90_000;

/** @type {readonly Attack[]} */
export const attacks = [...connections, ...files, ...processes, ...install, ...memory, ...damage];

/**
 * @param {Attack} attack
 * @returns {Promise<{ held: boolean, reason?: string }>}
 */
export async function tryAttack({ run, limitMs = defaultLimitMs }) {
  const world = new World();
  try {
    await within(limitMs, "it was not over", run(world));
    return { held: true };
  } catch (error) {
    return { held: false, reason: error instanceof Error ? error.message : String(error) };
  } finally {
    await world.close();
  }
}
