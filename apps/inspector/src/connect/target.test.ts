import { expect, test } from "vitest";
import { findTarget, forget, type Memory, normaliseUrl, remember, targetFromFields } from "./target.ts";

function memory(): Memory & { size: () => number } {
  const map = new Map<string, string>();
  return {
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => map.set(key, value),
    removeItem: (key) => map.delete(key),
    size: () => map.size,
  };
}

const find = (href: string, ...memories: Memory[]) => findTarget({ href }, memories);

test("the printed link gives the token and loses it", () => {
  expect(find("http://127.0.0.1:2468/ui/#token=se%2Fcret")).toEqual({
    target: { url: "http://127.0.0.1:2468", token: "se/cret" },
    cleaned: "http://127.0.0.1:2468/ui/",
    isGiven: true,
  });
});

test("a link of 0.1.11 has the token in its query, and loses it too", () => {
  expect(find("http://127.0.0.1:2468/ui/?token=se%2Fcret&headers=%7B%7D#/sessions/a")).toEqual({
    target: { url: "http://127.0.0.1:2468", token: "se/cret" },
    cleaned: "http://127.0.0.1:2468/ui/#/sessions/a",
    isGiven: true,
  });
});

test.each([
  ["http://127.0.0.1:2468/ui/#token=se%2Fcret", "", "http://127.0.0.1:2468", "se/cret"],
  ["http://h:1", " http://127.0.0.1:2468/ui/#token=a ", "http://127.0.0.1:2468", "a"],
  ["http://h:1/ui/", "a", "http://h:1", "a"],
  ["https://h.example/base/ui/?token=b", "old", "https://h.example/base", "b"],
  ["https://inspector.example/?url=http://box:9000#token=c", "", "http://box:9000", "c"],
  ["localhost:2468", " plain ", "http://localhost:2468", "plain"],
  ["http://h:1", "https-looking-token", "http://h:1", "https-looking-token"],
])("endpoint %j and token %j mean %s with %s", (endpoint, token, url, expected) => {
  expect(targetFromFields(endpoint, token)).toEqual({ url, token: expected });
});

test("what is no address is none with a token either", () => {
  expect(targetFromFields("not an address", "t")).toBeUndefined();
});

test("a link to another daemon, with and without a token", () => {
  const link = "https://inspector.example/?url=http://box.example:9000/#token=x";
  expect(find(link)).toMatchObject({ target: { url: "http://box.example:9000", token: "x" } });
  expect(find(link).cleaned).toBe("https://inspector.example/");
  expect(find("https://inspector.example/?url=box:9000#/sessions/a")).toEqual({
    target: { url: "http://box:9000", token: "" },
    cleaned: "https://inspector.example/#/sessions/a",
    isGiven: true,
  });
});

test("a token is never sent to another daemon than its own", () => {
  const tab = memory();
  remember({ url: "http://one", token: "secret" }, [tab]);
  expect(find("http://x/?url=http://two", tab).target).toEqual({ url: "http://two", token: "" });
  expect(find("http://x/?url=http://one", tab).target).toEqual({ url: "http://one", token: "secret" });
});

test("this tab's daemon comes before this device's", () => {
  const [tab, device] = [memory(), memory()];
  remember({ url: "http://device", token: "d" }, [device]);
  expect(find("http://x/ui/", tab, device).target.url).toBe("http://device");
  remember({ url: "http://tab", token: "t" }, [tab]);
  expect(find("http://x/ui/#/sessions/a", tab, device)).toEqual({
    target: { url: "http://tab", token: "t" },
    cleaned: undefined,
    isGiven: true,
  });
  forget([tab, device]);
  expect([tab.size(), device.size()]).toEqual([0, 0]);
});

test("without a word the daemon that serves the page is meant", () => {
  expect(find("http://127.0.0.1:2468/ui/")).toMatchObject({ target: { url: "http://127.0.0.1:2468" }, isGiven: true });
  expect(find("http://localhost:5173/")).toMatchObject({ target: { url: "http://localhost:5173" }, isGiven: false });
});

test.each([
  ["localhost:2468/", "http://localhost:2468"],
  [" https://a.example/base/ ", "https://a.example/base"],
  ["", undefined],
  ["ftp://a", undefined],
  ["javascript:alert(1)", undefined],
  ["http://", undefined],
  ["not an address", undefined],
])("%j is the address %j", (text, url) => {
  expect(normaliseUrl(text)).toBe(url);
});
