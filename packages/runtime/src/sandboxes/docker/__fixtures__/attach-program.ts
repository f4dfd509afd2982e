// Attaches to a sandbox in a process of its own and prints what it finds: `attach-program.mjs options id`.
import { createDockerProvider } from "../docker-provider.ts";
import { readDockerSettings } from "../docker-settings.ts";

const [, , options = "", id = ""] = process.argv;
const { directory, settings } = JSON.parse(options) as { directory: string; settings: Record<string, unknown> };
const sandbox = await createDockerProvider({ directory, ...readDockerSettings(settings) }).attach(id);
const { url = "", fetch: own = fetch } = (await sandbox?.endpoint()) ?? {};
const answer = await own(new URL("/v1/health", url));
console.log(JSON.stringify({ ...(await sandbox?.status()), health: await answer.json() }));
process.exit();
