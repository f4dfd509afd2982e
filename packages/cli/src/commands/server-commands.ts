import type { ApiCommand } from "./api-command.ts";

export const serverCommands: readonly ApiCommand[] = [
  {
    route: "getServerInfo",
    words: ["server", "info"],
    summary: "What answers at the endpoint",
    examples: ["api server info"],
    run: async ({ client, out }) => out.json(await client.getServerInfo()),
  },
  {
    route: "getHealth",
    words: ["server", "health"],
    summary: "Is the daemon up?",
    examples: ["api server health", "api server health --details | jq .memory"],
    flags: [{ name: "details", description: "also say what the daemon holds in memory; needs the token" }],
    run: async ({ client, input, out }) =>
      out.json(await client.getHealth(input.flag("details") ? { details: true } : {})),
  },
  {
    route: "getOpenApi",
    words: ["server", "openapi"],
    summary: "The API as an OpenAPI 3.1 document",
    examples: ["api server openapi > openapi.json"],
    run: async ({ client, out }) => out.json(await client.getOpenApi()),
  },
];
