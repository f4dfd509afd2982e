/** Document, docs and table of `/api` agree; that the runtime serves the table is tested there. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { errorCodes } from "../error-codes.ts";
import { buildRuntimeOpenApi } from "./runtime-openapi.ts";
import { type RuntimeRoute, runtimeRoutes } from "./runtime-routes.ts";

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8");
const named = runtimeRoutes.map(({ method, path }) => `${method} ${path}`);

describe("docs/runtime-openapi.json", () => {
  const { version } = JSON.parse(read("packages/protocol/package.json")) as { version: string };
  const document = buildRuntimeOpenApi({ version });

  it("is what the code says; `npm run gen` makes it so", () => {
    expect(JSON.parse(read("docs/runtime-openapi.json"))).toEqual(document);
  });

  it("has every route of the table and no other, each under a name of its own", () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual([...named].sort());
    expect(new Set(runtimeRoutes.map(({ id }) => id)).size).toBe(runtimeRoutes.length);
  });

  it.each(runtimeRoutes as readonly RuntimeRoute[])(
    "says what $method $path takes, answers and may refuse",
    (route) => {
      const operation = document.paths[route.path]![route.method.toLowerCase()] as {
        parameters?: { name: string; description?: string }[];
        requestBody?: object;
        responses: Record<string, { description: string }>;
      };
      const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const parameters = operation.parameters ?? [];
      expect(parameters.map(({ name }) => name)).toEqual([
        ...inPath,
        ...Object.keys(route.query?.shape ?? {}),
        ...Object.keys(route.headers ?? {}),
      ]);
      for (const { name, description } of parameters) expect(description, name).toBeTypeOf("string");
      expect(operation.requestBody !== undefined).toBe(route.body !== undefined);
      expect(operation.responses).toHaveProperty(`${route.response.status}`);
      for (const code of route.errors) {
        expect(operation.responses[errorCodes[code].status]?.description).toContain(`\`${code}\``);
      }
    },
  );

  it("refers only to schemas that it has", () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]*)"/g)];
    expect(references.length).toBeGreaterThan(20);
    for (const [, name] of references) expect(document.components.schemas).toHaveProperty(name!);
  });
});

describe("docs/runtime-api.mdx", () => {
  it("describes every route of the table and no other", () => {
    const described = [...read("docs/runtime-api.mdx").matchAll(/<Accordion title="([^"]+)">/g)].map(([, it]) => it);
    expect(described.sort()).toEqual([...named].sort());
  });
});
