/** Feared: a token in hands that it is not for, or a vendor that is not asked where only a mirror can be reached. */
import { beforeEach, describe, expect, test } from "vitest";
import { withoutPauses } from "../__fixtures__/installer-world.ts";
import { ReleaseServer } from "../__fixtures__/release-server.ts";
import { vendorAsker } from "./ask-vendor.ts";
import { findMirrors } from "./mirrors.ts";

let server: ReleaseServer;
let elsewhere: ReleaseServer;
let env: Record<string, string | undefined>;

beforeEach(async () => {
  [server, elsewhere] = [await ReleaseServer.start(), await ReleaseServer.start()];
  server.put("https://api", "{}");
  elsewhere.put("https://moved", "moved");
  env = { GITHUB_TOKEN: "secret" };
});

const token = ["GITHUB_TOKEN", "GH_TOKEN"];

function ask(url = `${server.url}/api`) {
  return vendorAsker(env, findMirrors(env), { proxyOf: () => undefined }, withoutPauses)({ url, token });
}

const sent = (to: ReleaseServer) => to.requests.map(({ headers }) => headers.authorization);

describe("a token", () => {
  test("is sent to the vendor, and to no host that it leads to", async () => {
    server.intercept = (_request, response) => {
      response.writeHead(302, { location: `${elsewhere.url.replace("127.0.0.1", "localhost")}/moved` }).end();
      return true;
    };
    expect((await ask()).bytes.toString()).toBe("moved");
    expect([sent(server), sent(elsewhere)]).toEqual([["Bearer secret"], [undefined]]);
  });

  test("may have several names", async () => {
    env = { GH_TOKEN: "other" };
    await ask();
    expect(sent(server)).toEqual(["Bearer other"]);
  });

  test("is not sent to a mirror, which has a password of its own", async () => {
    env.SANDBOX_AGENT_MIRRORS = `vendor.example=${server.url.replace("//", "//me:hush@")}/api`;
    server.put("https://api/x", "of the mirror");
    expect((await ask("https://vendor.example/x")).bytes.toString()).toBe("of the mirror");
    expect(sent(server)).toEqual([`Basic ${Buffer.from("me:hush").toString("base64")}`]);
  });

  test.each([
    [403, { GITHUB_TOKEN: "secret" }, /does not accept the credentials/],
    [403, {}, /too many have asked from this address\. Set GITHUB_TOKEN/],
    [429, {}, /too many have asked from this address\. Set GITHUB_TOKEN/],
    [404, {}, /there is no such release there/],
    [500, {}, /answered 500\. Try again later/],
  ])("is advised, and never told: %s with %j", async (status, variables, sentence) => {
    env = variables;
    server.intercept = (_request, response) => {
      response.writeHead(status).end();
      return true;
    };
    const failure = await ask().catch((error: unknown) => error);
    expect(failure).toHaveProperty("message", expect.stringMatching(sentence));
    expect(`${failure}${JSON.stringify(failure)}`).not.toContain("secret");
  });
});

test("an answer without an end is given up", async () => {
  server.put("https://api", Buffer.alloc(17 * 1024 * 1024));
  await expect(ask()).rejects.toThrow(/more than 16777216 bytes/);
});
