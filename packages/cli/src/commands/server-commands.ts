import { type ApiCommand, jsonFlag } from "./api-command.ts";

export const serverCommands: readonly ApiCommand[] = [
  {
    route: "getServerInfo",
    words: ["server", "info"],
    summary: "What answers at the endpoint",
    flags: [jsonFlag],
    examples: ["api server info"],
    run: async ({ client, input, out }) => {
      const info = await client.getServerInfo();
      await (input.flag("json") ? out.json(info) : out.properties(info));
    },
  },
  {
    route: "getHealth",
    words: ["server", "health"],
    summary: "Is the daemon up?",
    flags: [jsonFlag],
    examples: ["api server health", "api server health --json"],
    run: async ({ client, input, out }) => {
      const health = await client.getHealth();
      await (input.flag("json") ? out.json(health) : out.properties(health));
    },
  },
  {
    route: "getOpenApi",
    words: ["server", "openapi"],
    summary: "The API as an OpenAPI 3.1 document",
    examples: ["api server openapi > openapi.json"],
    run: async ({ client, out }) => out.json(await client.getOpenApi()),
  },
];
