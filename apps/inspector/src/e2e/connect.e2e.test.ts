/** Feared: a person before a closed door who is not told which key is missing. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { describeInBrowser } from "@sandbox-agent-ts/testing/browser";
import { expect, onTestFinished, test } from "vitest";
import { seriousFindings } from "../__fixtures__/axe.ts";
import { RunningDaemon } from "../__fixtures__/running-daemon.ts";
import { runningServers } from "../__fixtures__/running-servers.ts";
import { screenshot } from "../__fixtures__/screenshot.ts";
import { Visitor } from "../__fixtures__/visitor.ts";

/** What a person is told who has no token, and one who has a wrong one. */
const words: Readonly<Record<string, { readonly none: string; readonly wrong: string }>> = {
  "a daemon": { none: "This daemon wants a token", wrong: "The token is wrong" },
  "a runtime": { none: "This runtime wants an API key", wrong: "The key is wrong" },
};

describeInBrowser("connecting", (browser) => {
  test.each(runningServers)(
    "each closed door has its own help, and an open one is remembered, of %s",
    { timeout: 60_000 },
    async (kind, start) => {
      const { none, wrong } = words[kind]!;
      const { client } = await start();
      const { baseUrl, token = "" } = client;
      const old = await serve({ "access-control-allow-origin": "*" }, { status: "ok" });
      const closed = await serve({}, { status: "ok", version: "0.1.0" });
      const gone = await serve({}, {});
      gone.server.close();

      const visitor = await Visitor.open(browser(), `${baseUrl}/ui/?url=${encodeURIComponent(gone.url)}`);
      const { page } = visitor;
      await visitor.sees(`Nothing answers at ${gone.url}`);
      expect(page.url()).not.toContain("?url");
      const knock = async (url: string, key: string) => {
        await page.getByLabel("Endpoint").fill(url);
        await page.getByLabel("Token").fill(key);
        await visitor.button("Connect").click();
      };
      await knock(closed.url, "");
      await visitor.sees("does not allow this page to talk to it (CORS)");
      await visitor.sees(`sandbox-agent server --cors-allow-origin ${baseUrl}`);
      expect(await seriousFindings(page)).toEqual([]);
      await screenshot(page, "connect");
      await knock(old.url, "");
      await visitor.sees("This daemon is too old");
      await knock(baseUrl, "");
      await visitor.sees(none);
      expect(await page.locator(".notice-bad").count()).toBe(0);
      await knock(baseUrl, "nonsense");
      await visitor.sees(wrong);
      await knock("not an address", token);
      await visitor.sees("This is no address");
      await knock(baseUrl, token);
      await visitor.sees("Start your first session");
      await page.reload();
      await visitor.sees("Start your first session");
      await visitor.button("Disconnect").click();
      expect(await page.getByLabel("Token").inputValue()).toBe("");
      expect(
        await page.evaluate((secret) => JSON.stringify({ ...localStorage, ...sessionStorage }).includes(secret), token),
      ).toBe(false);
    },
  );

  test("the printed link works wherever it is pasted, or with the token in its query", {
    timeout: 60_000,
  }, async () => {
    const daemon = await RunningDaemon.start();
    const { baseUrl, token = "" } = daemon.client;
    for (const field of ["Endpoint", "Token"]) {
      const visitor = await Visitor.open(browser(), `${baseUrl}/ui/`);
      await visitor.sees("This daemon wants a token");
      expect(await visitor.page.locator(".notice-bad").count()).toBe(0);
      await visitor.page.getByLabel(field).fill(daemon.link);
      await visitor.button("Connect").click();
      await visitor.sees("Start your first session");
    }
    const legacy = await Visitor.open(browser(), `${baseUrl}/ui/?token=${encodeURIComponent(token)}&headers=%7B%7D`);
    await legacy.sees("Start your first session");
    expect(legacy.page.url()).toBe(`${baseUrl}/ui/`);
  });

  test("an open page tells a token that became wrong from a daemon that is away, and takes another", {
    timeout: 60_000,
  }, async () => {
    const daemon = await RunningDaemon.start();
    await daemon.client.createSession("s", { agent: "mock" });
    const visitor = await Visitor.open(browser(), daemon.link);
    await visitor.page.getByRole("link", { name: /^Idle s/ }).click();
    await visitor.message.fill("a draft");
    await daemon.kill();
    await visitor.sees("The daemon does not answer. Trying again …");
    const link = await daemon.startAgain("another-token");
    await visitor.sees("The token is wrong.");
    await visitor.sees("The daemon refuses the token.");
    expect(await seriousFindings(visitor.page)).toEqual([]);
    const field = visitor.page.getByLabel("Token or link");
    await field.fill("nonsense");
    await field.press("Enter");
    await visitor.sees("This one is wrong, too.");
    await field.fill(link);
    await field.press("Enter");
    await field.waitFor({ state: "detached" });
    expect(await visitor.message.inputValue()).toBe("a draft");
    await visitor.send("echo let in again");
    await visitor.conversation.getByText("let in again", { exact: true }).waitFor();
  });

  test("an open page goes on by itself when the daemon takes its token again", { timeout: 60_000 }, async () => {
    const daemon = await RunningDaemon.start();
    await daemon.client.createSession("s", { agent: "mock" });
    const visitor = await Visitor.open(browser(), daemon.link);
    await visitor.page.getByRole("link", { name: /^Idle s/ }).click();
    await visitor.send("echo before");
    await visitor.conversation.getByText("before", { exact: true }).waitFor();
    await daemon.kill();
    await daemon.startAgain("another-token");
    await visitor.sees("The token is wrong.");
    await visitor.page.getByRole("status").getByText("Token refused").waitFor();
    await daemon.kill();
    await daemon.startAgain();
    await visitor.page.getByText("The token is wrong.").waitFor({ state: "detached" });
    await visitor.page.getByText("The daemon refuses the token.").waitFor({ state: "detached" });
    await visitor.page.getByRole("status").getByText("Token refused").waitFor({ state: "detached" });
    await daemon.client.postMessage("s", { message: "echo after" });
    await visitor.conversation.getByText("after", { exact: true }).waitFor();
  });
});

/** Something that answers every request with the same words. */
async function serve(headers: Record<string, string>, body: object): Promise<{ url: string; server: Server }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
