// Attaches to a sandbox in a process of its own and prints what it finds: `attach-program.mjs settings id`.
import { createCloudflareProvider } from "../cloudflare-provider.ts";
import { readCloudflareSettings } from "../cloudflare-settings.ts";

const [, , settings = "", id = ""] = process.argv;
const sandbox = await createCloudflareProvider(readCloudflareSettings(JSON.parse(settings))).attach(id);
const { url = "", fetch: own = fetch } = (await sandbox?.endpoint()) ?? {};
const answer = await own(new URL("/v1/health", url));
console.log(JSON.stringify({ ...(await sandbox?.status()), health: await answer.json() }));
process.exit();
