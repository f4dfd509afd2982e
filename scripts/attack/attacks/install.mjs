import { createServer } from "node:http";
import { eventually, must } from "../daemon.mjs";

/** @type {import("../attacks.mjs").Attack[]} */
export const install = [
  {
    name: "SIGTERM while a registry sends a byte now and then",
    async run(world) {
      let asked = 0;
      const registry = createServer((_request, response) => {
        asked += 1;
        response.writeHead(200, { "content-type": "application/json" });
        const drip = setInterval(() => response.write(" "), 500);
        response.on("close", () => clearInterval(drip));
      });
      await new Promise((resolve) => registry.listen(0, "127.0.0.1", () => resolve(undefined)));
      const address = /** @type {import("node:net").AddressInfo} */ (registry.address());
      try {
        const env = {
          SANDBOX_AGENT_NPM_REGISTRY: `http://127.0.0.1:${address.port}`,
          SANDBOX_AGENT_SOURCES: "npm",
          PATH: "/usr/bin:/bin",
        };
        const daemon = await world.start({ env });
        const { agents } = (await daemon.call("GET", "/v1/agents")).json();
        const missing = agents.find((/** @type {{ installed: boolean }} */ agent) => !agent.installed);
        must(missing !== undefined, "all agents are installed");
        daemon.call("POST", `/v1/agents/${missing.id}/install`, {}).catch(() => {});
        await eventually(() => asked > 0, "the registry is not asked");
        await daemon.stop(15_000);
      } finally {
        registry.closeAllConnections();
        registry.close();
      }
    },
  },
];
