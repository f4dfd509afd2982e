import type { ToolOutcome } from "../stage.ts";

export const greetingPath = "src/greeting.ts";
export const greetingLine = 'export const greeting = "hello";';

export const greetingDiff = `--- a/${greetingPath}
+++ b/${greetingPath}
@@ -1 +1 @@
-${greetingLine}
+export const greeting = "hello, world";
`;

/** A change that the mock pretends to make: the tool, what it is given, and what comes of it. */
export const greetingChange = {
  name: "Edit",
  input: { path: greetingPath, old: "hello", new: "hello, world" },
  outcome: {
    output: `Changed ${greetingPath}`,
    parts: [{ type: "file_ref", path: greetingPath, action: "patch", diff: greetingDiff }],
  } satisfies ToolOutcome,
} as const;
