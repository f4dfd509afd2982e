import { expect, test } from "vitest";
import { findProxies } from "./proxies.ts";

const proxies = { proxy: "http://plain.example:1", "https-proxy": "http://secure.example:2" };
const hostOf = (npm: object, env: object, url: string) => findProxies({ ...npm }, { ...env })(url)?.host;

test.each([
  [proxies, {}, "http://r.example/", "plain.example:1"],
  [proxies, {}, "https://r.example/", "secure.example:2"],
  [{ proxy: "http://plain.example:1" }, {}, "https://r.example/", "plain.example:1"],
  [{ "https-proxy": "http://secure.example:2" }, {}, "http://r.example/", undefined],
  [
    { proxy: null, "https-proxy": null },
    { HTTPS_PROXY: "http://env.example:3" },
    "https://r.example/",
    "env.example:3",
  ],
  [{}, { http_proxy: "env.example:3" }, "https://r.example/", "env.example:3"],
  [{}, { HTTPS_PROXY: "http://env.example:3" }, "http://r.example/", undefined],
  [proxies, { HTTPS_PROXY: "http://env.example:3" }, "https://r.example/", "secure.example:2"],
  [{}, {}, "https://r.example/", undefined],
])("npm %j and environment %j for %s: %s", (npm, env, url, expected) => {
  expect(hostOf(npm, env, url)).toBe(expected);
});

test.each([
  ["r.example", "https://r.example/", true],
  ["r.example", "https://deep.r.example/", true],
  [".r.example", "https://r.example/", true],
  ["*.r.example", "https://deep.r.example/", true],
  ["r.example", "https://other.example/", false],
  ["r.example", "https://bar.example/", false],
  ["r.example:443", "https://r.example/", true],
  ["r.example:8080", "https://r.example/", false],
  ["a.example, r.example", "https://r.example/", true],
  ["*", "https://r.example/", true],
  ["", "https://r.example/", false],
])("no proxy for %j: %s is direct: %s", (noproxy, url, isDirect) => {
  expect(hostOf({ ...proxies, noproxy }, {}, url) === undefined).toBe(isDirect);
  expect(hostOf({ ...proxies, noproxy: [noproxy] }, {}, url) === undefined).toBe(isDirect);
  expect(hostOf(proxies, { NO_PROXY: noproxy }, url) === undefined).toBe(isDirect);
});

test.each(["http://localhost:4873/", "http://127.0.0.1:1/", "http://[::1]/", "http://r.localhost/"])(
  "%s is this machine and needs none",
  (url) => {
    expect(hostOf(proxies, {}, url)).toBeUndefined();
  },
);

test("what is no http proxy is said", () => {
  expect(() => hostOf({ proxy: "socks5://p.example:1080" }, {}, "http://r.example/")).toThrow("not an http(s) URL");
});
