import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { errorCodes } from "../error-codes.ts";
import { routes } from "./routes.ts";

const page = readFileSync(new URL("../../../../docs/http-api.mdx", import.meta.url), "utf8");

describe("docs/http-api.mdx", () => {
  it.each(routes.map(({ method, path }) => `${method} ${path}`))("describes %s", (route) => {
    expect(page).toContain(`<Accordion title="${route}">`);
  });

  it("describes no route that is not there", () => {
    const described = [...page.matchAll(/<Accordion title="([^"]+)">/g)].map(([, title]) => title);
    expect(described.sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it.each(Object.entries(errorCodes))("names %s with its status", (code, { status }) => {
    expect(page).toContain(`| \`${code}\` | ${status} |`);
  });
});
