import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ScriptFile } from "./script/model-script.ts";
import { Expectation, ModelStep } from "./script/model-step.ts";
import { parseScript } from "./script/parse-script.ts";
import { RequestMatcher } from "./script/request-matcher.ts";

const page = readFileSync(new URL("../../../../docs/testing.mdx", import.meta.url), "utf8");

describe("docs/testing.mdx", () => {
  it("has a script that works", () => {
    const [, json = ""] = /```json script\.json\n(.*?)```/s.exec(page) ?? [];
    expect(parseScript(JSON.parse(json)).conversations).toHaveLength(1);
  });

  it.each([
    ["a step", ModelStep],
    ["an expectation", Expectation],
    ["a matcher", RequestMatcher],
    ["a script", ScriptFile],
  ])("names every field of %s", (_name, { shape }) => {
    expect(Object.keys(shape).filter((field) => !page.includes(`\`${field}\``))).toEqual([]);
  });
});
