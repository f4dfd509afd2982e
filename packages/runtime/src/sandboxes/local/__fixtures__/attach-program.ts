// Attaches to a sandbox in a process of its own and prints what it finds: `attach-program.cjs root id`.
import { createLocalProvider } from "../local-provider.ts";

const [, , root = "", id = ""] = process.argv;
const sandbox = await createLocalProvider({ root }).attach(id);
const { url = "", fetch: own = fetch } = (await sandbox?.endpoint()) ?? {};
const answer = await own(new URL("/v1/health", url));
console.log(JSON.stringify({ ...(await sandbox?.status()), health: await answer.json() }));
process.exit();
