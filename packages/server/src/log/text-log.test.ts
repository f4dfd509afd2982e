import { describe, expect, it } from "vitest";
import { createTextLog, textOfJsonLog } from "./text-log.ts";

function lines(isColored = false) {
  const written: string[] = [];
  return { written, log: createTextLog((line) => written.push(line), isColored) };
}

describe("log lines for people", () => {
  it("say when, how bad and what; a request is one short line", () => {
    const { written, log } = lines();
    log.info({ method: "GET", url: "/v1/agents", status: 200, ms: 3 }, "request");
    log.warn({ agent: "mock", error: new Error("Gone.") }, "it ended");
    expect(written[0]).toMatch(/^\d\d:\d\d:\d\d info {2}GET \/v1\/agents 200 3 ms\n$/);
    expect(written[1]).toMatch(/ warn {2}it ended agent=mock error="Gone\."\n$/);
  });

  it("show where an error came from", () => {
    const { written, log } = lines();
    log.error({ err: new TypeError("x is undefined") }, "a request failed");
    expect(written[0]).toMatch(/ error a request failed err="x is undefined"\n +at .*text-log\.test\.ts/);
  });

  it("stay on one line, never steer the terminal, and hold no headers", () => {
    const { written, log } = lines();
    log.info({ headers: { authorization: "Bearer secret" } }, "a\nb\u001b[2J");
    expect(written[0]).toMatch(/ info {2}a b \[2J\n$/);
  });

  it("are coloured where that is wanted", () => {
    const { written, log } = lines(true);
    log.error({}, "bad");
    expect(written[0]).toContain("\u001b[31merror\u001b[39m");
  });
});

describe("a line of the JSON log", () => {
  it("is read as text", () => {
    const line = JSON.stringify({ level: 40, time: Date.now(), agent: "mock", msg: "it ended" });
    expect(textOfJsonLog(line, false)).toMatch(/^\d\d:\d\d:\d\d warn {2}it ended agent=mock\n$/);
  });

  it.each(["", "a warning of Node", "{}", "null", '{"level":30}'])("is told from %j", (line) => {
    expect(textOfJsonLog(line, false)).toBeUndefined();
  });
});
