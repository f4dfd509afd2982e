import { type OpenApiDocument, openApiDocument } from "../api/openapi.ts";
import { runtimeRoutes } from "./runtime-routes.ts";

const description = `What a runtime has beside \`/v1\`: sessions as one piece, profiles, session tokens for browsers, usage and audit.

A session of somebody else does not exist for whoever asks: 404, as for one that never was.`;

const tags = [
  { name: "sessions", description: "Conversations with an agent, each in a sandbox of its own" },
  { name: "requests", description: "What the agent asks a person" },
  { name: "files", description: "The workspace of a session" },
  { name: "profiles", description: "What agents are given, by name and version" },
  { name: "access", description: "Who may do what, and who did" },
];

/** The runtime's own API as an OpenAPI 3.1 document. */
export function buildRuntimeOpenApi({ version }: { version: string }): OpenApiDocument {
  return openApiDocument(runtimeRoutes, {
    title: "Sandbox Agent Runtime",
    version,
    description,
    tags,
    server: { url: "http://127.0.0.1:2470", description: "The default address of the runtime" },
    security: [{ bearer: [] }],
    securitySchemes: {
      bearer: { type: "http", scheme: "bearer", description: "An API key, or a session token for its one session" },
    },
  });
}
