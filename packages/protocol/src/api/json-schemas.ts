import { z } from "zod";
import { ProblemDetails } from "../problem.ts";
import type { DocumentedRoute } from "./route.ts";
import { routes } from "./routes.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface JsonSchemas {
  /** Every schema with a name, by name. */
  readonly named: Readonly<Record<string, JsonSchema>>;
  /** The schemas that were asked for; a named one is a reference. */
  readonly roots: Readonly<Record<string, JsonSchema>>;
}

/** Translate schemas to JSON Schema 2020-12; every named schema among them is kept once and referred to below `refBase`. */
export function toJsonSchemas(roots: Readonly<Record<string, z.ZodType>>, refBase: string): JsonSchemas {
  const document = z.toJSONSchema(z.object(roots), { io: "input", override: ({ jsonSchema }) => simplify(jsonSchema) });
  const text = JSON.stringify({ named: document.$defs ?? {}, roots: document.properties ?? {} });
  return JSON.parse(text.replaceAll('"$ref":"#/$defs/', `"$ref":"${refBase}`)) as JsonSchemas;
}

/** Everything that can be on the wire as one JSON Schema document with the named schemas in `$defs`. */
export function buildJsonSchemas(): JsonSchema {
  const { named } = toJsonSchemas(wireSchemas(), "#/$defs/");
  return { $schema: "https://json-schema.org/draft/2020-12/schema", title: "Sandbox Agent", $defs: named };
}

/** The schemas the route table speaks of, under keys that `operation` finds again, and the body of every error. */
export function wireSchemas(table: readonly DocumentedRoute[] = routes): Record<string, z.ZodType> {
  const schemas: Record<string, z.ZodType> = { ProblemDetails };
  for (const route of table) {
    if (route.query) schemas[`${route.id}.query`] = route.query;
    if (route.body?.schema) schemas[`${route.id}.body`] = route.body.schema;
    if (route.response.schema) schemas[`${route.id}.response`] = route.response.schema;
    if (route.response.events) schemas[`${route.id}.events`] = route.response.events;
  }
  return schemas;
}

/** Leave out what says nothing: the name (it is the key), the bounds of a safe integer, the pattern behind a format. */
function simplify(schema: Record<string, unknown>): void {
  delete schema.id;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.format !== undefined) delete schema.pattern;
}
