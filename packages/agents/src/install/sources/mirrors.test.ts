import { expect, test } from "vitest";
import { findMirrors } from "./mirrors.ts";

const mirrorsOf = (SANDBOX_AGENT_MIRRORS?: string) => findMirrors({ SANDBOX_AGENT_MIRRORS });
const asset = "https://github.com/a/b/releases/download/v1/tool.zip?x=1";

test("without a setting the vendor itself is asked", () => {
  expect(mirrorsOf()(asset)).toEqual({ url: asset });
});

test("a host that is named, a general mirror with a folder for each host, and the one above the other", () => {
  const named = mirrorsOf("github.com=https://mirror.example/gh/, static.example=http://other.example:8080");
  expect(named(asset).url).toBe("https://mirror.example/gh/a/b/releases/download/v1/tool.zip?x=1");
  expect(named("https://static.example/cli/x").url).toBe("http://other.example:8080/cli/x");
  expect(named("https://api.github.com/repos").url).toBe("https://api.github.com/repos");
  const both = mirrorsOf("*=https://mirror.example/all\ngithub.com=https://gh.example");
  expect(both(asset).url).toBe("https://gh.example/a/b/releases/download/v1/tool.zip?x=1");
  expect(both("https://api.github.com/repos").url).toBe("https://mirror.example/all/api.github.com/repos");
});

test("a password of the mirror becomes a header and is not in the URL", () => {
  expect(mirrorsOf("*=https://me:p%40ss@mirror.example")("https://host.example/x")).toEqual({
    url: "https://mirror.example/host.example/x",
    authorization: `Basic ${Buffer.from("me:p@ss").toString("base64")}`,
  });
});

test.each(["https://mirror.example", "github.com", "github.com=ftp://x", "=https://x", "github.com=secret"])(
  "%j is refused with an example, and not repeated",
  (named) => {
    expect(() => mirrorsOf(named)).toThrow(/is not host=URL\. Write e\.g\. github\.com=/);
    expect(() => mirrorsOf(named)).not.toThrow(/secret/);
  },
);
