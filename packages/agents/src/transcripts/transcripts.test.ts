/** Feared: an application reads transcripts in a browser, and an agent's parser wants Node. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { transcriptDialects } from "./index.ts";
import type { TranscriptDialect } from "./transcript-dialect.ts";

const agents = new URL("../agents/", import.meta.url);
const has = (name: string, file: string) => readdirSync(new URL(`${name}/`, agents)).includes(file);

async function inBrowser(): Promise<Record<string, TranscriptDialect>> {
  const entry = fileURLToPath(new URL("./index.ts", import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    platform: "browser",
    format: "iife",
    globalName: "bundle",
    conditions: ["@sandbox-agent-ts/source"],
    logLevel: "silent",
  });
  const context = createContext({ URL, TextEncoder, TextDecoder });
  runInContext(outputFiles[0]!.text, context);
  return (context as { bundle: { transcriptDialects: Record<string, TranscriptDialect> } }).bundle.transcriptDialects;
}

test("every agent that has them is there, without being named", () => {
  for (const name of readdirSync(agents)) {
    const { parseTranscript, writeTranscript }: TranscriptDialect =
      (transcriptDialects as Record<string, TranscriptDialect>)[name] ?? {};
    expect([name, parseTranscript !== undefined]).toEqual([name, has(name, "transcript.ts")]);
    expect([name, writeTranscript !== undefined]).toEqual([name, has(name, "write-transcript.ts")]);
  }
});

test("in a browser they read and write the same as here", async () => {
  const there = await inBrowser();
  expect(Object.keys(there)).toEqual(Object.keys(transcriptDialects));
  const text = readFileSync(new URL("codex/__fixtures__/recordings/rollout.jsonl", agents), "utf8");
  const items = transcriptDialects.codex.parseTranscript(text);
  expect(items.length).toBeGreaterThan(3);
  const events = items.map((item) => ({ type: "item.completed", data: { item } }) as never);
  const about = { nativeSessionId: "n", directory: "/d", time: "2026-01-01T00:00:00Z", nextUuid: () => "u-u" };
  for (const [name, here] of Object.entries(transcriptDialects) as [string, TranscriptDialect][]) {
    const written = here.writeTranscript?.(events, about);
    expect(plain(there[name]?.writeTranscript?.(events, about))).toEqual(plain(written));
    const own = written?.text ?? "{}";
    expect(plain(there[name]?.parseTranscript?.(own))).toEqual(plain(here.parseTranscript?.(own)));
  }
});

test("no parser throws at what it does not know", () => {
  for (const { parseTranscript } of Object.values(transcriptDialects) as TranscriptDialect[]) {
    for (const text of ["", "{", "[]", "null", '{"type":"hologram"}\nnothing\n']) {
      expect(parseTranscript?.(text, { companions: [{ path: "x", text: "{" }] }) ?? []).toEqual([]);
    }
  }
});

/** What another realm made has other prototypes. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
