import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { importSource } from "./import-source.mjs";
import { code, Reasons, table } from "./markdown.mjs";
import { hostedProviders, loadScenarios, providersFolder, sdkPackages } from "./providers-under-contract.mjs";
import { root } from "./root.mjs";

const path = "docs/sandboxes.mdx";
const begin = "{/* Made by `npm run gen` from the providers and their contract scenarios. Do not edit. */}\n";
const end = "{/* Until here. */}\n";

/** What it can do depends on the machine: this is with bubblewrap and without. */
const local = { suspend: "memory", extend: false, network: "with bubblewrap", isolation: "with bubblewrap" };
/** As much as they need to say what they can do; nothing is asked of anybody. */
const settings = { docker: {} };

const capabilities = {
  "keeps when it is idle": ({ suspend }) =>
    ({ memory: "files and memory", disk: "files", false: "–" })[String(suspend)],
  "has its end put off while a turn runs": ({ extend }) => (extend ? "yes" : "no"),
  "can be without a network": ({ network }) => shown(network),
  "is kept from the rest of the machine": ({ isolation }) => shown(isolation),
};

const shown = (value) => (typeof value === "string" ? value : value ? "yes" : "no");

/** What each provider can do, and what of the suite for hosting services each shows. */
export async function outputs() {
  const { hostedFeatures } = await importSource(`${providersFolder}/hosted/contract/hosted-features.ts`);
  const scenarios = (await Promise.all(hostedProviders().map(loadScenarios))).flat();
  const others = await Promise.all(Object.keys(settings).map(canOf));
  const known = [
    { name: "local", can: local },
    ...others,
    ...scenarios.map(({ name, scenario }) => ({ name, ...scenario })),
  ];
  const text = await readFile(join(root, path), "utf8");
  const [before, rest] = text.split(begin);
  const [, after] = (rest ?? "").split(end);
  if (after === undefined) throw new Error(`${path} has no place for the table of providers.`);
  const tables = [capabilityTable(known), suiteTable(hostedFeatures, scenarios)].join("\n");
  return [{ path, text: `${before}${begin}\n${tables}\n${end}${after}` }];
}

async function canOf(name) {
  const { provider } = await importSource(`${providersFolder}/${name}/index.ts`, { external: sdkPackages() });
  const { can } = await provider.create({ directory: "/nowhere", settings: settings[name] });
  return { name, can };
}

function capabilityTable(providers) {
  const rows = Object.entries(capabilities).map(([title, of]) => [title, ...providers.map(({ can }) => of(can))]);
  return table(["a sandbox", ...providers.map(({ name }) => code(name))], rows);
}

/** Why a line is not shown by a provider. */
function reasonOf(feature, { can, leftOut = {} }) {
  if (feature === "keptAlive" && !can.extend) return "how long it lives is settled when it is made";
  return leftOut[feature];
}

function suiteTable(features, scenarios) {
  const reasons = new Reasons();
  const rows = Object.entries(features).map(([feature, { title }]) => [
    title,
    ...scenarios.map(({ scenario }) => {
      const why = reasonOf(feature, scenario);
      return why === undefined ? "yes" : `– ${reasons.number(why)}`;
    }),
  ]);
  const intro =
    "Each line is a test of the suite that every provider at a hosting service passes: whole sessions of a real runtime, with the\nservice's own SDK and the real daemon. Where a service does not have it, the number leads to the reason.";
  const heads = ["a sandbox, or its provider, …", ...scenarios.map(({ name }) => code(name))];
  return `${intro}\n\n${table(heads, rows)}${reasons.list()}`;
}
