import { type JsonSchema, toJsonSchemas, wireSchemas } from "./json-schemas.ts";
import { operation } from "./operation.ts";
import type { DocumentedRoute } from "./route.ts";
import { routes } from "./routes.ts";

export interface OpenApiDocument {
  readonly openapi: "3.1.0";
  readonly info: Readonly<Record<string, unknown>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes: Readonly<Record<string, unknown>>;
  };
  readonly [field: string]: unknown;
}

const description = `Run coding agents in a sandbox and control them over HTTP.

Whatever happens in a session becomes a numbered event in its log. Read the log by offset, or follow it as server-sent
events. Requests and responses are written in camelCase, events and everything inside them in snake_case.`;

const tags = [
  { name: "server", description: "The daemon itself" },
  { name: "agents", description: "The programs that can be run" },
  { name: "sessions", description: "Conversations with an agent and their events" },
  { name: "fs", description: "Files in the sandbox" },
];

interface About {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly tags: readonly object[];
  readonly server: object;
  readonly security: readonly object[];
  readonly securitySchemes: Readonly<Record<string, unknown>>;
}

/** The HTTP API as an OpenAPI 3.1 document, made from the route table and the schemas it names. */
export function buildOpenApi({ version }: { version: string }): OpenApiDocument {
  return openApiDocument(routes, {
    title: "Sandbox Agent",
    version,
    description,
    tags,
    server: { url: "http://127.0.0.1:2468", description: "The default address of the daemon" },
    security: [{ bearer: [] }, { sandboxToken: [] }],
    securitySchemes,
  });
}

/** A table of routes as an OpenAPI 3.1 document. */
export function openApiDocument(table: readonly DocumentedRoute[], about: About): OpenApiDocument {
  const { title, version, description, tags, server, security, securitySchemes } = about;
  const { named, roots } = toJsonSchemas(wireSchemas(table), "#/components/schemas/");
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of table) {
    paths[route.path] ??= {};
    paths[route.path]![route.method.toLowerCase()] = operation(route, (key) => roots[key]);
  }
  return {
    openapi: "3.1.0",
    info: { title, version, description, license: { name: "Apache-2.0", identifier: "Apache-2.0" } },
    servers: [server],
    security,
    tags,
    paths,
    components: { schemas: sorted(named), securitySchemes },
  };
}

const securitySchemes = {
  bearer: { type: "http", scheme: "bearer", description: "The daemon's token" },
  sandboxToken: { type: "apiKey", in: "header", name: "x-sandbox-token", description: "The daemon's token" },
};

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
