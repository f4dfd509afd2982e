/** Feared: something an agent says, prints, draws or asks that becomes part of the page instead of being shown. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeInBrowser } from "@sandbox-agent-ts/testing/browser";
import { expect, test } from "vitest";
import type { PlayedItem } from "../__fixtures__/played-agent.ts";
import { playedDaemon } from "../__fixtures__/played-daemon.ts";
import { Visitor } from "../__fixtures__/visitor.ts";

const attack = "window.attacked=true";
const html = `<img src=x onerror="${attack}"><script>${attack}</script><svg onload="${attack}"><style>*{display:none!important}</style>`;
const markdown = `# ${html}

${html}

<iframe srcdoc="<script>parent.${attack}</script>"></iframe>
<a href="javascript:${attack}">html link</a>
<form action="javascript:${attack}"><button>go</button></form>

[script](javascript:${attack}) [encoded](&#106;avascript:${attack}) [data](data:text/html,<script>${attack}</script>)
[vb](vbscript:x) <javascript:${attack}> ![pic](javascript:${attack}) ![remote](https://tracker.example/pixel.png)

| ${html} | b |
| - | - |
| ${html} | \`${html}\` |

\`\`\`html"><script>${attack}</script>
${html}
\`\`\`

- [ ] ${html}
`;
const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="${attack}"><script>${attack}</script><rect width="40" height="40" fill="red"/></svg>`;
const ansi = `\u001b[31mred\u001b[0m \u001b]8;;javascript:${attack}\u0007link\u001b]8;;\u0007 ${html} \u001b[999;999H\u001b]0;${html}\u0007`;

const text = (value: string): PlayedItem => ({
  kind: "message",
  role: "assistant",
  content: [{ type: "text", text: value }],
});

function everything(directory: string): PlayedItem[] {
  const call = {
    type: "tool_call",
    name: html,
    arguments: JSON.stringify({ command: html, [html]: html }),
    call_id: "c",
  } as const;
  const diff = `--- a/${html}\n+++ b/${html}\n@@ -1 +1 @@ ${html}\n-${html}\n+${html}\n`;
  return [
    text(markdown),
    { kind: "message", role: "assistant", content: [{ type: "reasoning", text: html, visibility: "public" }] },
    { kind: "status", role: "system", content: [{ type: "status", label: html, detail: `[x] ${html}\n[ ] ${html}` }] },
    { kind: "system", role: "system", content: [{ type: "text", text: html }] },
    { kind: "unknown", content: [{ type: "json", json: { [html]: html } }] },
    { kind: "tool_call", role: "assistant", content: [call] },
    {
      kind: "tool_result",
      role: "tool",
      content: [
        { type: "tool_result", call_id: "c", output: ansi },
        { type: "file_ref", path: html, action: "patch", diff },
        { type: "image", path: join(directory, "picture.svg"), mime: "text/html" },
      ],
    },
  ];
}

/** As an agent would send it that keeps to no schema. */
const odd = (item: object) => item as PlayedItem;

describeInBrowser("hostile words", (browser) => {
  test("items of other types are said to be unreadable, and the rest is shown", { timeout: 60_000 }, async () => {
    const { sessionUrl } = await playedDaemon((say) =>
      say(
        text("the word before"),
        odd({ kind: "tool_call", role: "assistant", content: [{ type: "tool_call", name: { a: 1 }, call_id: 7 }] }),
        odd({ kind: "status", role: "system", content: [{ type: "status", label: { a: 1 }, detail: 7 }] }),
        odd({ kind: "message", role: "assistant", content: [{ type: "reasoning", text: { a: 1 } }] }),
        text("the word after"),
      ),
    );
    const { page } = await Visitor.open(browser(), sessionUrl);
    await page.getByText("the word before").waitFor();
    await page.getByText("the word after").waitFor();
    await page.getByText("cannot be shown").first().waitFor();
    expect(await page.locator(".sidebar").count()).toBe(1);
  });

  test("are shown as they are and do nothing", { timeout: 60_000 }, async () => {
    const items: PlayedItem[] = [];
    const { client, sessionUrl, directory } = await playedDaemon((say) => say(...items));
    writeFileSync(join(directory, "picture.svg"), svg);
    writeFileSync(join(directory, `${encodeURIComponent("<img src=x>")}.html`), html);
    items.push(...everything(directory));
    for await (const _ of client.streamTurn("played", { message: html }));

    const visitor = await Visitor.open(browser(), sessionUrl);
    const { page } = visitor;
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    const tool = page.locator(".tool-use");
    await tool.waitFor();
    await tool.locator("img").waitFor();
    await page.getByText("Thought").first().click();

    for (const tab of ["Events", "Files", "Conversation"]) {
      await visitor.link(tab).click();
      await page.getByText("onerror").or(page.getByText("picture.svg")).first().waitFor();
    }
    expect(await page.evaluate(() => "attacked" in window)).toBe(false);
    const { origin } = new URL(sessionUrl);
    expect(requested.filter((url) => !url.startsWith(origin) && !url.startsWith(`blob:${origin}`))).toEqual([]);
    const hrefs = await page
      .locator(".conversation a")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""));
    expect(hrefs.filter((href) => !href.startsWith("https:"))).toEqual([]);
    expect(await page.locator(".conversation").locator("script, iframe, form, style, object, embed").count()).toBe(0);
    expect(visitor.complaints.filter((complaint) => /policy|error/i.test(complaint))).toEqual([]);
  });
});
