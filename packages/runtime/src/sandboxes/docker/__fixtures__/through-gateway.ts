import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";
import { onTestFinished } from "vitest";
import type { TestEngine } from "./test-engine.ts";

/** An environment that names services on loopback, for a container: they are at the same ports of its engine's bridge. */
export async function throughGateway(
  engine: TestEngine,
  env: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const gateway = await gatewayOf(engine);
  const ports = new Set(
    Object.values(env).flatMap((value) => [...value.matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port]) => Number(port))),
  );
  for (const port of ports) {
    const server: Server = createServer((outer) => {
      const inner = connect(port, "127.0.0.1");
      outer.pipe(inner).pipe(outer);
      for (const socket of [outer, inner]) socket.on("error", () => [outer, inner].map((one) => one.destroy()));
    }).listen(port, gateway);
    await once(server, "listening");
    onTestFinished(() => void server.close());
  }
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [name, value.replaceAll("127.0.0.1:", `${gateway}:`)]),
  );
}

/** How a container reaches this machine. */
async function gatewayOf({ engine }: TestEngine): Promise<string> {
  const { IPAM } = await engine.call<{ IPAM: { Config: { Gateway?: string; Subnet: string }[] } }>(
    "GET",
    "/networks/bridge",
  );
  const [config] = IPAM.Config;
  return config!.Gateway ?? config!.Subnet.replace(/\.0\/\d+$/, ".1");
}
