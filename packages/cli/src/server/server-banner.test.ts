import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { openServerWarning, serverBanner } from "./server-banner.ts";

const settings = { dataDir: "/data", ephemeral: false };

describe("the banner", () => {
  it("has a URL, a token and a command to try", () => {
    const text = serverBanner({ url: "http://127.0.0.1:1", token: "a+b", hasInspector: true }, settings);
    expect(text).toContain("Token      a+b\n");
    expect(text).toContain("Open       http://127.0.0.1:1/ui/#token=a%2Bb\n");
    expect(text).toContain("curl -H 'Authorization: Bearer a+b' http://127.0.0.1:1/v1/agents");
    expect(text).toContain("/data");
  });

  it("asks for no token where there is none", () => {
    const text = serverBanner(
      { url: "http://127.0.0.1:1", token: null, hasInspector: true },
      { ...settings, ephemeral: true },
    );
    expect(text).not.toContain("Authorization");
    expect(text).toContain("Open       http://127.0.0.1:1/ui/\n");
    expect(text).toContain("in memory only");
  });
});

it("names no inspector where none is served", () => {
  const text = serverBanner({ url: "http://127.0.0.1:1", token: "a", hasInspector: false }, settings);
  expect(text).not.toContain("/ui/");
});

describe("the command to try", () => {
  it.each([
    ["http://127.0.0.1:1", "it's"],
    ["http://[::1]:1", '$(oops) `oops` "oops" \\'],
  ])("is the same to a shell as to us, at %s with the token %s", (url, token) => {
    const command = /Try: curl (.*)/.exec(serverBanner({ url, token, hasInspector: false }, settings))?.[1];
    const words = execFileSync("sh", ["-c", `printf '%s\\n' ${command}`], { encoding: "utf8" })
      .trimEnd()
      .split("\n");
    expect(words).toEqual(["-H", `Authorization: Bearer ${token}`, `${url}/v1/agents`]);
  });
});

describe("the warning about an open server", () => {
  it.each(["0.0.0.0", "::", "192.168.1.2", "example.org"])("is loud on %s", (host) => {
    expect(openServerWarning(host, null)).toContain("WITHOUT A TOKEN");
    expect(openServerWarning(host, "T")).toBeUndefined();
  });

  it.each(["127.0.0.1", "127.1.2.3", "localhost", "::1"])("is not needed on %s", (host) => {
    expect(openServerWarning(host, null)).toBeUndefined();
  });
});
