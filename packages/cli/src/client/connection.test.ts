import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processStartTime } from "@sandbox-agent-ts/agents";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeRunRecord } from "../background/run-record.ts";
import { connectionOf } from "./connection.ts";

let dataDir: string;
let env: Record<string, string>;

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), "connection-"));
  env = { SANDBOX_AGENT_DATA_DIR: dataDir };
  const startTime = processStartTime(process.pid) ?? "";
  writeRunRecord(dataDir, { pid: process.pid, startTime, url: "http://127.0.0.1:2468", token: "generated" });
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describe("the connection", () => {
  it("goes to the default place with the token the daemon there wrote down", () => {
    expect(connectionOf({}, env)).toEqual({ baseUrl: "http://127.0.0.1:2468", token: "generated" });
    expect(connectionOf({ endpoint: "http://localhost:2468/" }, env).token).toBe("generated");
  });

  it.each(["http://127.0.0.1:2469", "http://example.org:2468", "https://127.0.0.1:2468"])(
    "never sends that token to %s",
    (endpoint) => {
      expect(connectionOf({ endpoint }, env)).toEqual({ baseUrl: endpoint });
    },
  );

  it("prefers flags to the environment to what was written down", () => {
    const given = { ...env, SANDBOX_AGENT_ENDPOINT: "http://h:1", SANDBOX_AGENT_TOKEN: "E" };
    expect(connectionOf({}, given)).toEqual({ baseUrl: "http://h:1", token: "E" });
    expect(connectionOf({ endpoint: "http://f:2", token: "F" }, given)).toEqual({ baseUrl: "http://f:2", token: "F" });
  });

  it.each(["127.0.0.1:2468", "ftp://h", "nonsense"])("refuses %s as an endpoint", (endpoint) => {
    expect(() => connectionOf({ endpoint }, {})).toThrow("--endpoint must be");
  });
});
