import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fetchPackage } from "../fetch-package.mjs";
import { typesToSchema } from "./types-to-schema.mjs";

const packageName = "@anthropic-ai/claude-agent-sdk";
/** Types of the model's API, of which only the messages are described here. */
const api = { name: "@anthropic-ai/sdk", version: "1.10.0" };

/** The types of Claude Code's SDK: of the same release, whose number has the same last part. */
export async function extract({ version }) {
  const released = `0.3.${version.split(".").at(-1)}`;
  const [folder, apiFolder] = await Promise.all([
    fetchPackage(packageName, released),
    fetchPackage(api.name, api.version),
  ]);
  const text = mendTypes(readFileSync(join(folder, "sdk.d.ts"), "utf8"));
  const { kinds, defs } = typesToSchema({ text, type: "StdoutMessage", modules: { [api.name]: apiFolder } });
  return {
    kinds,
    defs: Object.fromEntries(
      Object.entries(defs).map(([name, schema]) => [name, isOfApi(name) ? lenient(schema) : schema]),
    ),
    source: { package: packageName, version: released, command: "sdk.d.ts StdoutMessage" },
  };
}

/** Of foreign types the generator cannot read, and which say nothing about what is printed. */
function mendTypes(text) {
  const importsAway = text.replaceAll(/^import (?:type )?(.+) from '([^']+)';$/gm, (line, what, from) => {
    if (from.startsWith("@anthropic-ai/")) return line;
    const names = [...what.matchAll(/(?:(\w+) as )?(\w+)/g)].map(([, , name]) => name);
    if (what.startsWith("*"))
      return "declare namespace z { type infer<T = any> = any; type ZodType<A = any, B = any> = any }";
    return names.map((name) => `type ${name}<A = any, B = any> = ${name === "UUID" ? "string" : "any"};`).join("\n");
  });
  return importsAway
    .replaceAll("coreTypes.", "")
    .replace(/^declare type StdoutMessage/m, "export declare type StdoutMessage")
    .replace(
      /^export declare type NonNullableUsage = \{[\s\S]*?^\};$/m,
      "export declare type NonNullableUsage = BetaUsage;",
    );
}

const isOfApi = (name) => /^Beta/.test(name);

/** Not every service that speaks the API sends all that it promises. What tells blocks apart stays. */
function lenient(schema) {
  if (Array.isArray(schema)) return schema.map(lenient);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).flatMap(([word, inner]) => {
    if (word !== "required" || !Array.isArray(inner)) return [[word, lenient(inner)]];
    return inner.includes("type") ? [[word, ["type"]]] : [];
  });
  return Object.fromEntries(entries);
}
