/** Feared: a new user who follows the printed link and gets stuck somewhere on the way. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeInBrowser } from "@sandbox-agent-ts/testing/browser";
import { expect, test } from "vitest";
import { seriousFindings } from "../__fixtures__/axe.ts";
import { type RunningServer, runningServers } from "../__fixtures__/running-servers.ts";
import { screenshot } from "../__fixtures__/screenshot.ts";
import { desk, Visitor } from "../__fixtures__/visitor.ts";

const MINUTE_MS = 60_000;
const agent = "Mock";

describeInBrowser("a tour", (browser) => {
  test.each(runningServers)(
    "create, chat, approve, answer, stop, look at a diff on %s",
    { timeout: 2 * MINUTE_MS },
    async (kind, start) => {
      const server = await start();
      const visitor = await Visitor.open(browser(), server.link);
      const { page } = visitor;
      const picture: typeof screenshot = async (...args) => (kind === "a daemon" ? screenshot(...args) : undefined);
      await visitor.sees("Start your first session");
      expect(page.url()).not.toContain("token");
      expect(await seriousFindings(page)).toEqual([]);

      await visitor.button("New session").first().click();
      await page.getByRole("radio", { name: agent }).waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await picture(page, "new-session");
      await page.keyboard.press("Escape");
      await otherSessions(server);
      await visitor.newSession(agent, { Title: "Greet the world", Directory: server.directory });

      await visitor.send("markdown");
      await visitor.sees("Other scripts");
      await visitor.send("tool");
      await visitor.sees("All four are done.");
      await page.getByRole("region", { name: "Changes of src/greeting.ts" }).getByText('"hello, world"').waitFor();
      await visitor.button(/Bash.*npm test/).click();
      await visitor.sees("3 passed, 0 failed");
      expect(await seriousFindings(page)).toEqual([]);
      await visitor.conversation.press("End");
      await visitor.message.focus();
      await picture(page, "conversation");

      await visitor.send("permission");
      await visitor.button(/Allow once/).waitFor();
      await visitor.sees("rm -r build");
      expect(await seriousFindings(page)).toEqual([]);
      await picture(page, "permission");
      await page.keyboard.press("Alt+r");
      await page.keyboard.press("y");
      await visitor.sees("you allowed it this once");

      await visitor.send("question");
      await page.getByRole("radio", { name: "Blue" }).check();
      await page.getByRole("checkbox", { name: "Header" }).check();
      await page.getByRole("checkbox", { name: "Sidebar" }).check();
      await page
        .getByRole("group", { name: /Where should/ })
        .getByRole("textbox")
        .fill("Status bar");
      expect(await seriousFindings(page)).toEqual([]);
      await picture(page, "question");
      await visitor.button("Answer").click();
      await visitor.sees(/Places: Header, Sidebar, Status bar/);

      await visitor.send("slow 1000 50");
      await visitor.sees("1 2 3");
      await visitor.send("echo after that");
      await page.getByRole("list", { name: "Queued messages" }).getByText("echo after that").waitFor();
      await visitor.button("Stop").click();
      await visitor.sees("Stopped");
      await visitor.conversation.getByText("after that", { exact: true }).waitFor();
      await visitor.idle();
      expect(visitor.complaints).toEqual([]);
    },
  );

  // Of a daemon only: a session that works in a directory of the machine has its files there, and a runtime reaches them only through its sandbox.
  test.each(runningServers.filter(([kind]) => kind === "a daemon"))(
    "events, calls, agents, files, names and ends on %s",
    { timeout: 2 * MINUTE_MS },
    async (kind, start) => {
      const server = await start();
      const { client, directory } = server;
      project(directory);
      await client.createSession("s", { agent: "mock", directory, title: "Look around" });
      for await (const _ of client.streamTurn("s", { message: "tool" }));
      const context = { ...desk, colorScheme: "dark" as const, permissions: ["clipboard-read", "clipboard-write"] };
      const visitor = await Visitor.open(browser(), server.link, context);
      const { page } = visitor;
      const picture: typeof screenshot = async (...args) => (kind === "a daemon" ? screenshot(...args) : undefined);

      await page.getByRole("link", { name: /Look around/ }).click();
      await visitor.sees("All four are done.");
      await visitor.message.evaluate((field) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File(["pasted bytes"], "shot.png", { type: "image/png" }));
        field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: transfer, bubbles: true, cancelable: true }));
      });
      await visitor.send("echo with a picture");
      await visitor.sees("Attached: shot.png (image/png)");

      await visitor.link("Events").click();
      await visitor.button(/^item.delta/).click();
      await visitor.button("First event").click();
      await page.getByRole("heading", { name: "session.started" }).waitFor();
      await visitor.button("Next event").click();
      await page.getByRole("heading", { name: "turn.started" }).waitFor();
      await visitor.button("Follow the newest").click();
      await page.locator(".event-row", { hasText: "All four are done." }).first().click();
      await visitor.button("Show the raw payload").click();
      await visitor.sees("Raw payload");
      await visitor.button("Conversation up to here").click();
      expect(await seriousFindings(page)).toEqual([]);
      await picture(page, "events");

      await visitor.link("Files").click();
      await visitor.button(/^notes.md/).click();
      await visitor.button("Edit").click();
      await page.getByLabel("Content of notes.md").fill(notes);
      await visitor.button("Save").click();
      await visitor.button("Edit").waitFor();
      const saved = await client.readFsFile({ path: "notes.md", sessionId: "s" });
      expect(new TextDecoder().decode(saved)).toBe(notes);
      await page
        .getByLabel("Files to upload")
        .setInputFiles({ name: "up.txt", mimeType: "text/plain", buffer: Buffer.from("up") });
      await visitor.button(/^up.txt/).waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await picture(page, "files");
      await visitor.button("New file").click();
      await page.getByLabel("Name", { exact: true }).fill("notes.md");
      await visitor.button("Create").click();
      await visitor.sees("There is something of this name already.");
      await page.getByLabel("Name", { exact: true }).fill("empty.txt");
      await visitor.button("Create").click();
      await visitor.button(/^empty.txt/).waitFor();
      const download = page.waitForEvent("download");
      await visitor.button("Download notes.md").click();
      expect((await download).suggestedFilename()).toBe("notes.md");
      await visitor.button("Delete up.txt").click();
      await visitor.button("Really delete up.txt").click();
      await visitor.button(/^up.txt/).waitFor({ state: "detached" });

      await visitor.link("Agents").click();
      await page.getByRole("row", { name: /Plan mode/ }).waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await picture(page, "agents");

      await visitor.link("Request log").click();
      const token = client.token ?? "none";
      const copy = visitor.button("Copy PUT /v1/fs/file as curl").first();
      await copy.click();
      expect(await clipboard(visitor)).toMatch(/^curl -X PUT .*\$SANDBOX_AGENT_TOKEN/);
      expect(await clipboard(visitor)).not.toContain(token);
      await page.getByLabel("Token in copied commands").check();
      await copy.click();
      await expect.poll(() => clipboard(visitor)).toContain(token);
      expect(await seriousFindings(page)).toEqual([]);
      await picture(page, "requests");

      await page.getByRole("link", { name: /Look around/ }).click();
      await menu(visitor, "Rename");
      await page.getByLabel("Title", { exact: true }).fill(" ");
      await visitor.button("Rename").click();
      await visitor.sees("Give it a name.");
      await page.getByLabel("Title", { exact: true }).fill("Another name");
      await visitor.button("Rename").click();
      await page.getByRole("heading", { name: "Another name" }).waitFor();
      await menu(visitor, "End session");
      await visitor.button("End session").click();
      await visitor.sees("takes no more messages");
      await page.reload();
      await visitor.sees("takes no more messages");
      await menu(visitor, "Delete");
      await visitor.button("Delete").click();
      await visitor.sees("Start your first session");
      expect((await client.listSessions()).sessions).toEqual([]);
      expect(visitor.complaints).toEqual([]);
    },
  );
});

const notes = `# Notes

The greeting is in \`src/greeting.ts\`.

- [x] Say hello to the **world**
- [ ] Ask somebody whether it is polite

\`\`\`ts
import { greeting } from "./src/greeting.ts";
console.log(greeting);
\`\`\`
`;

function project(directory: string): void {
  mkdirSync(join(directory, "src"));
  writeFileSync(join(directory, "src/greeting.ts"), 'export const greeting = "hello";\n');
  writeFileSync(join(directory, "package.json"), '{ "name": "greeting", "type": "module" }\n');
  writeFileSync(join(directory, "notes.md"), "# Notes\n");
}

/** A list looks like one only when there is something in it. */
async function otherSessions({ client, directory }: RunningServer): Promise<void> {
  for (const [title, message] of [
    ["Explain how sessions are stored", "markdown"],
    ["Mend the flaky login test", "tool"],
    ["Tidy up the release notes", "end"],
  ] as const) {
    const sessionId = title.toLowerCase().replaceAll(" ", "-");
    await client.createSession(sessionId, { agent: "mock", title, directory });
    for await (const _ of client.streamTurn(sessionId, { message }));
  }
}

async function menu({ page }: Visitor, item: string): Promise<void> {
  await page.getByRole("button", { name: "Session menu" }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

function clipboard({ page }: Visitor): Promise<string> {
  return page.evaluate(() => navigator.clipboard.readText());
}
