import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processStartTime } from "@sandbox-agent-ts/agents/process-identity";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { removeRunRecord, writeRunRecord } from "../background/run-record.ts";
import { connectionOf, DEFAULT_ENDPOINT } from "./connection.ts";

let dataDir: string;
let env: Record<string, string>;

/** As if this process were the daemon. */
function record(url: string, token?: string): void {
  const startTime = processStartTime(process.pid) ?? "";
  writeRunRecord(dataDir, { pid: process.pid, startTime, url, ...(token === undefined ? {} : { token }) });
}

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "connection-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  env = { SANDBOX_AGENT_DATA_DIR: dataDir };
  record("http://127.0.0.1:24741", "generated");
});

describe("the connection", () => {
  it("goes to the daemon of the data directory, with the token it wrote down", () => {
    expect(connectionOf({}, env)).toMatchObject({ baseUrl: "http://127.0.0.1:24741", token: "generated" });
    expect(connectionOf({ dataDir }, {})).toMatchObject({ baseUrl: "http://127.0.0.1:24741", token: "generated" });
    expect(connectionOf({ endpoint: "http://localhost:24741/" }, env).token).toBe("generated");
  });

  it("goes to the default endpoint, without a token, when no daemon runs there", () => {
    removeRunRecord(dataDir, process.pid);
    const { baseUrl, token, place } = connectionOf({}, env);
    expect([baseUrl, token]).toEqual([DEFAULT_ENDPOINT, undefined]);
    expect(place).toContain(dataDir);
  });

  it.each(["http://127.0.0.1:24742", "http://example.org:24741", "https://127.0.0.1:24741"])(
    "never sends that token to %s",
    (endpoint) => {
      expect(connectionOf({ endpoint }, env)).toEqual({ baseUrl: endpoint, place: endpoint });
    },
  );

  it("prefers flags to the environment to what was written down", () => {
    const given = { ...env, SANDBOX_AGENT_ENDPOINT: "http://h:1", SANDBOX_AGENT_TOKEN: "E" };
    expect(connectionOf({}, given)).toMatchObject({ baseUrl: "http://h:1", token: "E" });
    const flags = { endpoint: "http://f:2", token: "F" };
    expect(connectionOf(flags, given)).toMatchObject({ baseUrl: "http://f:2", token: "F" });
    expect(connectionOf({ token: "F" }, env)).toMatchObject({ baseUrl: "http://127.0.0.1:24741", token: "F" });
  });

  it.each(["127.0.0.1:2468", "ftp://h", "nonsense"])("refuses %s as an endpoint", (endpoint) => {
    expect(() => connectionOf({ endpoint }, {})).toThrow("--endpoint must be");
  });

  it("says which daemon it means and how it was found", () => {
    expect(connectionOf({}, env).place).toBe(`http://127.0.0.1:24741 (data directory ${dataDir})`);
    expect(connectionOf({ endpoint: "http://h:1" }, env).place).toBe("http://h:1");
  });
});

describe("a daemon that restarts", () => {
  it("is found with another token and at another address", () => {
    const { locate } = connectionOf({}, env);
    record("http://127.0.0.1:24743", "another");
    expect(locate?.()).toEqual({ baseUrl: "http://127.0.0.1:24743", token: "another" });
  });

  it("and was named by its endpoint is found with another token, never elsewhere", () => {
    const { locate } = connectionOf({ endpoint: "http://127.0.0.1:24741" }, env);
    record("http://127.0.0.1:24741", "another");
    expect(locate?.()).toEqual({ baseUrl: "http://127.0.0.1:24741", token: "another" });
    record("http://127.0.0.1:24743", "stranger");
    expect(locate).toThrow("has ended");
  });

  it("is awaited while none runs: neither the default endpoint nor the old one is asked", () => {
    const { locate } = connectionOf({}, env);
    removeRunRecord(dataDir, process.pid);
    expect(locate).toThrow(`none has started in ${dataDir}`);
  });

  it("keeps a token that was given", () => {
    const { locate } = connectionOf({ token: "given" }, env);
    record("http://127.0.0.1:24743", "another");
    expect(locate?.()).toEqual({ baseUrl: "http://127.0.0.1:24743", token: "given" });
    expect(connectionOf({ endpoint: "http://127.0.0.1:24743", token: "given" }, env).locate).toBeUndefined();
  });
});
