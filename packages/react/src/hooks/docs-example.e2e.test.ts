/** Feared: an example in the docs that nobody has ever run. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeInBrowser, openPage } from "@sandbox-agent-ts/testing/browser";
import { expect, onTestFinished, test } from "vitest";
import { DaemonProcess } from "../../../daemon/src/__fixtures__/daemon-process.ts";
import { buildPage } from "../__fixtures__/build-page.ts";

const docs = readFileSync(new URL("../../../../docs/react.mdx", import.meta.url), "utf8");

describeInBrowser("the app of docs/react.mdx", (browser) => {
  test("creates its session, sends a message and asks for permission", async () => {
    const [, code] = /```tsx\n(.*?)```/s.exec(docs)!;
    const address = '{ baseUrl: "http://127.0.0.1:2468", token: "secret" }';
    expect(code).toContain(address);
    const ui = await buildPage(code!.replace(address, "{ baseUrl: location.origin }"));
    const dataDir = mkdtempSync(join(tmpdir(), "sandbox-agent-react-"));
    onTestFinished(() => {
      for (const directory of [ui, dataDir]) rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
    });
    const daemon = await DaemonProcess.start({ dataDir, ui });
    const { page, complaints } = await openPage(browser(), `${daemon.url}/ui/`);
    const say = async (text: string) => {
      await page.getByLabel("Message").fill(text);
      await page.getByText("Send").click();
    };
    await say("echo hello there");
    await page.getByText("assistant hello there").waitFor();
    await say("permission");
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText("you allowed it this once").waitFor();
    expect(complaints).toEqual([]);
  });
});
