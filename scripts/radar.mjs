/**
 * `npm run radar [-- --agent ID … --to VERSION --fast --only TEXT --json FILE --accept]`: what the vendors' newest releases
 * change for us. Exit code 0: nothing moved; 1: something did; 2: it could not be looked.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { acpProtocol, loadAgents } from "../resources/agent-schemas/src/agents.mjs";
import { acceptAgent } from "./radar/accept-agent.mjs";
import { lookAtAgent } from "./radar/look-at-agent.mjs";
import { exitCodeOf, reportText } from "./radar/report.mjs";
import { prepare, stop } from "./setup.mjs";

const { values } = parseArgs({
  options: {
    agent: { type: "string", multiple: true },
    to: { type: "string" },
    fast: { type: "boolean", default: false },
    only: { type: "string" },
    json: { type: "string" },
    accept: { type: "boolean", default: false },
  },
});

await prepare();
const known = [...(await loadAgents()), acpProtocol()];
const names = values.agent ?? known.map(({ id }) => id);
const unknown = names.find((name) => !known.some(({ id }) => id === name));
if (unknown !== undefined) stop(`There is no agent ${unknown}, only ${known.map(({ id }) => id).join(", ")}.`);
if (values.to !== undefined && names.length !== 1) stop("--to names a version of one agent: give --agent once.");
const chosen = known.filter(({ id }) => names.includes(id));

if (values.accept) await acceptAll();
else await look();

async function look() {
  const rows = [];
  for (const agent of chosen) {
    console.error(`looking at ${agent.id} …`);
    rows.push(await lookAtAgent(agent, values));
  }
  console.log(reportText(rows));
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(rows, null, 2)}\n`);
  process.exitCode = exitCodeOf(rows);
}

async function acceptAll() {
  for (const agent of chosen.filter(({ recordings }) => recordings !== undefined)) {
    console.log(`${agent.id}: accepted as it is, ${await acceptAgent(agent)} tests passed`);
  }
}
