import { expect, test } from "vitest";
import { makeArtifact } from "../artifact.mjs";
import { checkMessages } from "../check-messages.mjs";
import { typesToSchema } from "./types-to-schema.mjs";

const text = `
export interface Usage { input: number }
export type Line =
  | { type: "system"; subtype: "init"; cwd: string }
  | { type: "system"; subtype: "status" | "progress"; state?: string }
  | { type: "stream"; event: { type: "start"; at: number } | { type: "stop" } }
  | { type: "result"; usage: Usage | null };
`;

test("each kind of line has a schema of its own, by the fields that tell lines apart", () => {
  const { kinds, defs } = typesToSchema({ text, type: "Line" });
  expect(Object.keys(kinds).sort()).toEqual([
    "result",
    "stream/start",
    "stream/stop",
    "system/init",
    "system/progress",
    "system/status",
  ]);
  const source = { package: "p", version: "1", command: "c" };
  const artifact = makeArtifact({ name: "it", source, kinds, defs });
  expect(Object.keys(artifact.$defs)).toContain("Usage");
  const lines = [
    { type: "system", subtype: "init", cwd: "/" },
    { type: "stream", event: { type: "start", at: "now" } },
    { type: "stream", event: { type: "pause" } },
    { type: "result", usage: {} },
  ].map((line) => ({ line: JSON.stringify(line), from: "agent", process: 0 }));
  const { invalid, unknownKinds, unknownFields } = checkMessages({ artifact, schema: "claude", lines });
  expect([...unknownKinds.keys()]).toEqual(["stream/pause"]);
  expect([...unknownFields.keys()]).toEqual([]);
  expect([...invalid.keys()]).toEqual([
    "stream/start: event.at is string, not number",
    "result: usage.input is missing",
  ]);
});
