// `npm run attack [-- --only TEXT]`: what must not break a daemon, tried on a real one. Loopback only.
import { parseArgs } from "node:util";
import { attacks, tryAttack } from "./attack/attacks.mjs";
import { prepareCli } from "./setup.mjs";

const { values } = parseArgs({ options: { only: { type: "string", multiple: true } } });
const chosen = attacks.filter(({ name }) => values.only?.some((text) => name.includes(text)) ?? true);

await prepareCli();
let held = 0;
let broken = 0;
for (const attack of chosen) {
  const whyNot = attack.whyNot?.();
  if (whyNot !== undefined) {
    console.log(`not tried  ${attack.name} (${whyNot})`);
    continue;
  }
  const startedAt = performance.now();
  const result = await tryAttack(attack);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  if (result.held) held += 1;
  else broken += 1;
  const reason = result.reason === undefined ? "" : `: ${result.reason.replace(/\s+/g, " ")}`;
  console.log(`${result.held ? "held  " : "broken"}     ${attack.name} (${seconds} s)${reason}`);
}
console.log(`\n${held} held, ${broken} broken`);
process.exitCode = broken === 0 ? 0 : 1;
