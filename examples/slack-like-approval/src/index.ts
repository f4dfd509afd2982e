import { once } from "node:events";
import { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { Channel } from "./channel.ts";
import { serveChannel } from "./serve-channel.ts";

const agent = process.env.AGENT ?? "mock";
const client = await SandboxAgent.start();
const session = client.session("channel", { agent });
const channel = new Channel();

/** Messages queue up in the session; whoever presses a button first decides for all. */
async function answer(text: string): Promise<void> {
  const result = await session.run(text, {
    onPermission: ({ action, command }) => channel.ask(agent, command ?? action, ["once", "always", "reject"]),
  });
  channel.post(agent, result.outcome === "completed" ? result.text : (result.message ?? result.outcome));
}

const server = serveChannel(channel, ({ text }) => {
  answer(text).catch((error: Error) => channel.post(agent, `I failed: ${error.message}`));
}).listen(Number(process.env.PORT ?? 3000), "127.0.0.1");
await once(server, "listening");
const address = server.address();
console.log(`http://127.0.0.1:${typeof address === "object" ? address?.port : address}`);

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    server.close();
    server.closeAllConnections();
    void client.dispose();
  });
}
