import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fetchPackage } from "../fetch-package.mjs";
import { refTo, splitBy, tidy } from "../schema-shape.mjs";

export const packageName = "@agentclientprotocol/sdk";
const file = "schema/v1/schema.unstable.json";

/** The protocol's own schema. The unstable one knows what agents send already (usage, models). */
export async function extract({ version }) {
  const folder = await fetchPackage(packageName, version);
  const { $defs } = JSON.parse(readFileSync(join(folder, file), "utf8"));
  const defs = Object.fromEntries(Object.entries($defs).map(([name, inner]) => [name, tidy(inner)]));
  const kinds = {};
  for (const [name, { "x-method": method, "x-side": side }] of Object.entries($defs)) {
    if (side === "client" && /(?:Request|Notification)$/.test(name)) kinds[method] = refTo(name);
    if (side === "agent" && name.endsWith("Response")) kinds[`reply ${method}`] = refTo(name);
  }
  const { "session/update": update, ...others } = kinds;
  const updates = splitBy(update, ["update", "sessionUpdate"], defs);
  const named = updates.map(([word, schema]) => [`session/update ${word}`, schema]);
  return {
    kinds: { ...others, ...Object.fromEntries(named) },
    defs,
    source: { package: packageName, version, command: file },
  };
}
