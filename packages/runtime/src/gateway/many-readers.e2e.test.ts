/** Feared: a warning about leaks in the log of a runtime that merely has many readers. */
import { expect, onTestFinished, test } from "vitest";
import { startTestRuntime } from "../__fixtures__/test-runtime.ts";

test("many streams of one runtime lead to no warning", async () => {
  const warnings: Error[] = [];
  const listen = (warning: Error) => warnings.push(warning);
  process.on("warning", listen);
  onTestFinished(() => void process.off("warning", listen));
  const { client } = await startTestRuntime();
  await client.createSession("s", { agent: "mock" });
  const streams = await Promise.all(Array.from({ length: 30 }, () => client.getEventsSse("s")));
  await Promise.all(streams.map((stream) => stream.body!.cancel()));
  expect(warnings).toEqual([]);
}, 60_000);
