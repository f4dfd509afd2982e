import { type ErrorCode, errorCodes } from "../error-codes.ts";
import type { JsonSchema } from "./json-schemas.ts";
import { commonErrors, type DocumentedRoute } from "./route.ts";

type Json = Record<string, unknown>;
type SchemaOf = (key: string) => JsonSchema | undefined;

const pathParameters: Readonly<Record<string, string>> = {
  agent: "An agent's id, as `GET /v1/agents` lists it",
  sessionId: "The session's id, chosen by whoever creates it",
  name: "A profile's name; where it is read also `name@version`",
  turnId: "A turn's id, as the message was answered with",
  questionId: "`question_id` of the `question.requested` event",
  path: "Where it is in the workspace, with its slashes",
  checkpoint: "The number of a checkpoint",
  other: "The number of the checkpoint that it is compared with",
  permissionId: "`permission_id` of the `permission.requested` event",
};

/** One route as an OpenAPI operation. */
export function operation(route: DocumentedRoute, schemaOf: SchemaOf): Json {
  const parameters = [
    ...pathParametersOf(route),
    ...queryParametersOf(schemaOf(`${route.id}.query`)),
    ...headerParametersOf(route),
  ];
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    ...(route.public ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body ? { requestBody: requestBody(route.body, schemaOf(`${route.id}.body`)) } : {}),
    responses: {
      [route.response.status]: success(route, schemaOf(`${route.id}.response`), schemaOf(`${route.id}.events`)),
      ...problems(route),
    },
  };
}

function pathParametersOf(route: DocumentedRoute): Json[] {
  return Array.from(route.path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: pathParameters[name],
    schema: { type: "string" },
  }));
}

function queryParametersOf(query: JsonSchema | undefined): Json[] {
  if (!query) return [];
  const required = (query.required ?? []) as string[];
  return Object.entries(query.properties as Record<string, Json>).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...describe(description as string | undefined, otherSpelling(name)),
    schema,
  }));
}

function describe(...sentences: (string | undefined)[]): Json {
  const said = sentences.filter((sentence) => sentence !== undefined);
  return said.length > 0 ? { description: said.join(". ") } : {};
}

function otherSpelling(name: string): string | undefined {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return snake === name ? undefined : `Also understood as \`${snake}\``;
}

function headerParametersOf(route: DocumentedRoute): Json[] {
  return Object.entries(route.headers ?? {}).map(([name, description]) => ({
    name,
    in: "header",
    required: false,
    description,
    schema: { type: "string" },
  }));
}

function requestBody(body: NonNullable<DocumentedRoute["body"]>, schema: JsonSchema | undefined): Json {
  return { required: !body.optional, content: { [body.type]: { schema: schema ?? binary } } };
}

const binary: JsonSchema = { type: "string", format: "binary" };

function success(route: DocumentedRoute, schema: JsonSchema | undefined, events: JsonSchema | undefined): Json {
  const { type, bytes } = route.response;
  if (type === undefined) return { description: "Done" };
  const description =
    type === "text/event-stream"
      ? "Server-sent events: `id` is where to resume, each `data` line one event of this schema"
      : route.summary;
  const also = {
    ...(events && { "text/event-stream": { schema: events } }),
    ...(bytes && { [bytes]: { schema: binary } }),
  };
  return { description, content: { [type]: { schema: schema ?? binary }, ...also } };
}

function problems(route: DocumentedRoute): Json {
  const codes = errorsOf(route);
  const statuses = new Set(codes.map((code) => errorCodes[code].status));
  return Object.fromEntries(
    Array.from(statuses, (status) => [status, problem(codes.filter((code) => errorCodes[code].status === status))]),
  );
}

function problem(codes: readonly ErrorCode[]): Json {
  return {
    description: codes.map((code) => `\`${code}\` (${errorCodes[code].title})`).join(", "),
    content: { "application/problem+json": { schema: { $ref: "#/components/schemas/ProblemDetails" } } },
  };
}

/** Every error a route may answer with. */
function errorsOf(route: DocumentedRoute): readonly ErrorCode[] {
  const everywhere = route.public ? commonErrors.filter((code) => code !== "token_invalid") : commonErrors;
  return [...new Set([...everywhere, ...route.errors])];
}
