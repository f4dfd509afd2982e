/** Feared: a stale page that no reload mends, a file of the machine under `/ui/`, a page that lets a stranger's script run. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askRaw } from "../__fixtures__/raw-http.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { startTestDaemon } from "../__fixtures__/test-daemon.ts";
import { testOptions, testToken } from "../__fixtures__/test-options.ts";
import { startDaemon } from "../daemon.ts";
import type { Daemon } from "../daemon-options.ts";

const script = "console.log('the inspector');".repeat(20);
let outside: string;
let daemon: Daemon;

/** A build of the inspector, beside something that must never be served. */
function build(folder: string): string {
  const directory = join(folder, "ui");
  put(directory, "index.html", "<!doctype html><title>Inspector</title>");
  put(directory, "favicon.svg", "<svg/>");
  put(directory, "assets/index-C0ffee_1.js", script);
  put(directory, "assets/index-C0ffee_1.js.br", brotliCompressSync(script));
  put(directory, "assets/index-C0ffee_1.js.gz", gzipSync(script));
  put(directory, "assets/index-C0ffee_1.css", "body{}");
  put(folder, "secret.txt", "never to be seen");
  symlinkSync(join(folder, "secret.txt"), join(directory, "link.txt"));
  return directory;
}

function put(directory: string, name: string, contents: string | Buffer): void {
  mkdirSync(dirname(join(directory, name)), { recursive: true });
  writeFileSync(join(directory, name), contents);
}

beforeAll(async () => {
  outside = mkdtempSync(join(tmpdir(), "sandbox-agent-daemon-"));
  daemon = await startDaemon(testOptions({ token: testToken, ui: build(outside) }));
});

afterAll(async () => {
  await daemon.close();
  rmSync(outside, { recursive: true });
});

const get = (path: string, init?: RequestInit) => fetch(`${daemon.url}${path}`, { redirect: "manual", ...init });

describe("the inspector's files", () => {
  test.each([
    ["/ui/", "text/html; charset=utf-8", "no-cache"],
    ["/ui/index.html", "text/html; charset=utf-8", "no-cache"],
    ["/ui/favicon.svg", "image/svg+xml", "no-cache"],
    ["/ui/assets/index-C0ffee_1.js", "text/javascript; charset=utf-8", "public, max-age=31536000, immutable"],
    ["/ui/assets/index-C0ffee_1.css", "text/css; charset=utf-8", "public, max-age=31536000, immutable"],
  ])("%s is %s, %s", async (path, type, caching) => {
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toBe(type);
    expect(answer.headers.get("cache-control")).toBe(caching);
  });

  test.each([
    ["br, gzip", "br"],
    ["gzip, deflate", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["*", "br"],
    ["identity", null],
    ["br;q=0, *;q=0", null],
  ])("come compressed to who accepts %s: %s", async (accepted, encoding) => {
    const answer = await get("/ui/assets/index-C0ffee_1.js", { headers: { "accept-encoding": accepted } });
    expect(answer.headers.get("content-encoding")).toBe(encoding);
    expect(answer.headers.get("vary")).toBe("Accept-Encoding");
    expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(await answer.text()).toBe(script);
  });

  test("that were not compressed come as they are", async () => {
    const answer = await get("/ui/assets/index-C0ffee_1.css", { headers: { "accept-encoding": "br" } });
    expect(answer.headers.get("content-encoding")).toBeNull();
    expect(await answer.text()).toBe("body{}");
  });

  test("answer HEAD with the same headers and nothing else", async () => {
    const answer = await get("/ui/assets/index-C0ffee_1.js", {
      method: "HEAD",
      headers: { "accept-encoding": "identity" },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-length")).toBe(String(script.length));
    expect(await answer.text()).toBe("");
  });

  test("know no other method", async () => {
    const answer = await get("/ui/index.html", { method: "POST" });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("GET, HEAD");
  });
});

describe("places of the page", () => {
  test.each(["/ui/sessions/my.session", "/ui/agents?x=1", "/ui/assets", "/ui/unknown.js"])(
    "%s is the page",
    async (path) => {
      const answer = await get(path);
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain("<title>Inspector</title>");
      expect(answer.headers.get("cache-control")).toBe("no-cache");
    },
  );

  test("an asset of a build that is gone is not the page", async () => {
    const answer = await get("/ui/assets/index-0ld0ld00.js");
    expect(answer.status).toBe(404);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(await answer.json()).toMatchObject({ detail: expect.stringContaining("Reload the page") });
  });

  test("/ui leads to /ui/, and so does / for a browser", async () => {
    const moved = await get("/ui");
    expect([moved.status, moved.headers.get("location")]).toEqual([308, "/ui/"]);
    const root = await get("/", { headers: { accept: "text/html,application/xhtml+xml,*/*;q=0.8" } });
    expect([root.status, root.headers.get("location")]).toEqual([302, "/ui/"]);
    expect(await (await get("/")).json()).toMatchObject({ name: "sandbox-agent", inspector: "/ui/" });
  });
});

describe("nothing else of the machine", () => {
  test.each([
    "/ui/../secret.txt",
    "/ui/%2e%2e/secret.txt",
    "/ui/..%2fsecret.txt",
    "/ui/..%5csecret.txt",
    "/ui/assets/../../secret.txt",
    "/ui//../secret.txt",
    "/ui/%2fetc/passwd",
    "/ui//etc/passwd",
    "/ui/link.txt",
    "/ui/index.html%00.js",
    "/ui/assets/..%2f..%2fsecret.txt",
    "/ui/__proto__",
  ])("GET %s", async (target) => {
    const { status, body } = await askRaw(daemon.url, [`GET ${target} HTTP/1.1`, "host: localhost"]);
    expect(body).not.toContain("never to be seen");
    expect(body).not.toContain("root:");
    expect([200, 400, 401, 404]).toContain(status);
    if (status === 200) expect(body).toContain("<title>Inspector</title>");
  });
});

test("the page lets only its own files run, and nothing frame it", async () => {
  const { headers } = await get("/ui/");
  const policy = Object.fromEntries(
    headers
      .get("content-security-policy")!
      .split("; ")
      .map((directive) => [directive.split(" ", 1)[0], directive.split(" ").slice(1).join(" ")]),
  );
  expect(policy).toEqual({
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data: blob:",
    "font-src": "'self'",
    "connect-src": "'self' http: https:",
    "frame-ancestors": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
  });
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
});

test("a new build is served without a restart", async () => {
  const directory = build(temporaryDirectory());
  const { url } = await startTestDaemon({ ui: directory });
  const textOf = async (path: string) => (await fetch(`${url}${path}`)).text();
  expect(await textOf("/ui/")).toContain("Inspector");
  rmSync(directory, { recursive: true });
  expect((await fetch(`${url}/ui/`)).status).toBe(404);
  put(directory, "index.html", "<title>New</title>");
  put(directory, "assets/index-Newnewn1.js", "new");
  expect(await textOf("/ui/")).toContain("New");
  expect(await textOf("/ui/assets/index-Newnewn1.js")).toBe("new");
});

test.each([undefined, "/nowhere/at/all"])("without an inspector (%s) that is what is said", async (ui) => {
  const { url: bare } = await startTestDaemon({ ui });
  const answer = await fetch(`${bare}/ui/`);
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ detail: expect.stringContaining("has no web inspector") });
  expect(await (await fetch(`${bare}/`, { headers: { accept: "text/html" } })).json()).not.toHaveProperty("inspector");
});
