import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { errorCodes } from "../error-codes.ts";
import * as protocol from "../index.ts";
import { buildRuntimeOpenApi } from "../runtime-api/runtime-openapi.ts";
import { buildJsonSchemas } from "./json-schemas.ts";
import { buildOpenApi } from "./openapi.ts";
import { commonErrors, type Route } from "./route.ts";
import { routes } from "./routes.ts";

interface Operation {
  operationId: string;
  security?: unknown[];
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: unknown }[];
  requestBody?: { required: boolean; content: Record<string, { schema: unknown }> };
  responses: Record<string, { description: string; content?: Record<string, { schema: unknown }> }>;
}

const document = buildOpenApi({ version: "1.2.3" });
const allRoutes: readonly Route[] = routes;

test("docs/openapi.json is what the code says; `npm run gen` makes it so", () => {
  const { version } = JSON.parse(read("../../package.json")) as { version: string };
  expect(JSON.parse(read("../../../../docs/openapi.json"))).toEqual(buildOpenApi({ version }));
});

test("every reference leads to a schema", () => {
  const names = referencesIn(document);
  expect(names.length).toBeGreaterThan(100);
  for (const name of names) expect(resolve(document, name), name).toBeTypeOf("object");
  const schemas = buildJsonSchemas();
  for (const name of referencesIn(schemas)) expect(resolve(schemas, name), name).toBeTypeOf("object");
});

test("every schema with a name is in a document", () => {
  const named = Object.values(protocol).flatMap((value) =>
    value instanceof z.ZodType ? (value.meta()?.id ?? []) : [],
  );
  expect(named.length).toBeGreaterThan(50);
  const documented = [document, buildRuntimeOpenApi({ version: "1.2.3" })].flatMap(({ components }) =>
    Object.keys(components.schemas),
  );
  expect(documented).toEqual(expect.arrayContaining(named));
});

describe.each(allRoutes)("$method $path", (route) => {
  const operation = operationOf(route);

  test("is the operation of its name, closed without a token unless public", () => {
    expect(operation.operationId).toBe(route.id);
    expect(operation.security).toEqual(route.public ? [] : undefined);
  });

  test("declares its parameters", () => {
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(parameterNames(operation, "path")).toEqual(inPath);
    expect(parameterNames(operation, "query")).toEqual(Object.keys(route.query?.shape ?? {}));
    expect(parameterNames(operation, "header")).toEqual(Object.keys(route.headers ?? {}));
    for (const { in: place, description } of operation.parameters ?? []) {
      if (place === "path") expect(description).toBeTypeOf("string");
    }
  });

  test("declares its body and what it answers", () => {
    expect(Object.keys(operation.requestBody?.content ?? {})).toEqual(route.body ? [route.body.type] : []);
    const content = operation.responses[route.response.status]?.content ?? {};
    const types = [
      route.response.type,
      "events" in route.response ? "text/event-stream" : undefined,
      bytesOf(route.response),
    ];
    expect(Object.keys(content)).toEqual(types.filter((type) => type !== undefined));
  });

  test("names every error it may answer", () => {
    for (const code of [...commonErrors, ...route.errors]) {
      if (route.public && code === "token_invalid") continue;
      const response = operation.responses[errorCodes[code].status];
      expect(response?.description).toContain(`\`${code}\``);
      expect(response?.content).toHaveProperty("application/problem+json");
    }
  });
});

const bytesOf = (response: { readonly bytes?: string }) => response.bytes;

test("query values have the type their text stands for, under both names", () => {
  const { parameters = [] } = operationOf(allRoutes.find((route) => route.id === "getEvents")!);
  const find = (name: string) => parameters.find((parameter) => parameter.name === name);
  expect(find("offset")?.schema).toEqual({ type: "integer", minimum: 0 });
  expect(find("includeRaw")?.schema).toEqual({ type: "boolean" });
  expect(find("includeRaw")?.description).toContain("`include_raw`");
});

test("operations have names of their own", () => {
  expect(new Set(allRoutes.map((route) => route.id)).size).toBe(allRoutes.length);
});

function operationOf(route: Route): Operation {
  return document.paths[route.path]?.[route.method.toLowerCase()] as Operation;
}

function parameterNames(operation: Operation, place: string): string[] {
  return (operation.parameters ?? []).filter((parameter) => parameter.in === place).map((parameter) => parameter.name);
}

function referencesIn(value: unknown): string[] {
  return Array.from(JSON.stringify(value).matchAll(/"\$ref":"([^"]*)"/g), ([, name = ""]) => name);
}

function resolve(root: unknown, reference: string): unknown {
  const [hash, ...names] = reference.split("/");
  if (hash !== "#") return undefined;
  return names.reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], root);
}

function read(path: string): string {
  return readFileSync(new URL(path, import.meta.url), "utf8");
}
