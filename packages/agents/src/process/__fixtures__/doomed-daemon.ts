/** A daemon to be killed: starts a hanging fake agent with a detached grandchild and prints the pids. Argv: recordDir owner. */
import { createSupervisor } from "../supervisor.ts";
import { silentLog, startFakeAgent } from "./fake-agent.ts";

const [recordDir, owner, fakeAgentPath] = process.argv.slice(2) as [string, string, string];
const supervisor = createSupervisor({ recordDir, owner, log: silentLog });
const agent = startFakeAgent(supervisor, { args: [fakeAgentPath], label: "doomed agent" });
const grandchild = Number(await agent.ask("grandchild-detached"));
await agent.prompt("hang");
await agent.lineWith('"item":"m2"');
console.log(JSON.stringify({ agent: agent.process.pid, grandchild }));
