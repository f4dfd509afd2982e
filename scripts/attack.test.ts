import { beforeAll, expect, test } from "vitest";
import { attacks, tryAttack } from "./attack/attacks.mjs";
import { buildCli } from "./setup.mjs";

beforeAll(() => buildCli());

const isLinux = process.platform === "linux";
/** Quick ones of each kind; `npm run attack` tries all. */
const sample = [
  "CONNECT",
  "descriptors used up",
  "no environment",
  "its environment: terminate",
  "SIGTERM while an agent",
  "says null",
];

test.skipIf(!isLinux).each(sample)(
  "the attack of `npm run attack` with “%s” does not break a daemon (Linux only)",
  async (text) => {
    const attack = attacks.find(({ name }) => name.includes(text));
    expect(await tryAttack(attack!)).toEqual({ held: true });
  },
  120_000,
);

test("an attack that breaks something is told with its reason, and one that hangs is given up", async () => {
  const broken = tryAttack({ name: "x", run: () => Promise.reject(new Error("it is down")) });
  expect(await broken).toEqual({ held: false, reason: "it is down" });
  const hanging = tryAttack({ name: "x", limitMs: 10, run: () => new Promise(() => {}) });
  expect(await hanging).toEqual({ held: false, reason: "it was not over within 0.01 s" });
});
