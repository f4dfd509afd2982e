/** Feared: an inspector that only ever met the mock: real tools, diffs, requests and plans that look like nothing. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ProvokingMessage } from "@sandbox-agent-ts/agents/contract";
import { describeInBrowser } from "@sandbox-agent-ts/testing/browser";
import { expect, test } from "vitest";
import { provoking, realAgentWith, scriptedEnvironment, whyMissing } from "../__fixtures__/real-agent.ts";
import { RunningDaemon } from "../__fixtures__/running-daemon.ts";
import { screenshot } from "../__fixtures__/screenshot.ts";
import { Visitor } from "../__fixtures__/visitor.ts";

const agent = await realAgentWith(["fileEdit", "permissionReject", "questionAnswer", "planApprove"]);
const missing = await whyMissing(agent);
const title = `edits, asks, plans and is answered${missing === undefined ? "" : ` (not here: ${missing})`}`;

describeInBrowser("a real agent on a scripted model", (browser) => {
  test.skipIf(missing !== undefined)(title, { timeout: 300_000 }, async () => {
    const daemon = await RunningDaemon.start((home) => scriptedEnvironment(agent, home));
    const visitor = await Visitor.open(browser(), daemon.link);
    const { page } = visitor;

    const open = async (title: string, { session, files = {} }: ProvokingMessage) => {
      for (const [name, content] of Object.entries(files)) put(join(daemon.directory, name), content);
      const { permissionMode, agentMode } = session ?? {};
      const config = { ...(permissionMode && { permissionMode }), ...(agentMode && { agentMode }) };
      const request = { agent: agent.adapter.id, directory: daemon.directory, title, ...config };
      await daemon.client.createSession(title, request);
      await page.getByRole("link", { name: new RegExp(title) }).click();
      await page.getByRole("heading", { name: title, level: 1 }).waitFor();
    };

    const edit = provoking(agent, "fileEdit");
    await open("Edit a file", edit);
    await visitor.send(edit.message);
    await allowAll(visitor);
    await page.locator(".diff-add").first().waitFor();
    await screenshot(page, "real-agent");

    const reject = provoking(agent, "permissionReject");
    await open("Ask first", reject);
    await visitor.send(reject.message);
    await visitor.button(/Reject/).click();
    await visitor.idle();
    expect(await page.locator(".tool-failed").count()).toBeGreaterThan(0);

    const question = provoking(agent, "questionAnswer");
    await open("Ask a question", question);
    await visitor.send(question.message);
    await page.locator(".question-field").first().waitFor();
    for (const field of await page.locator(".question-field").all()) await field.locator("label input").first().check();
    await visitor.button("Answer").click();
    await allowAll(visitor);

    const plan = provoking(agent, "planApprove");
    await open("Make a plan", plan);
    await visitor.send(plan.message);
    await page.getByRole("radio").first().waitFor();
    await screenshot(page, "plan", page.locator(".request-dock"));
    await page.getByRole("radio").first().check();
    await visitor.button("Answer").click();
    await allowAll(visitor);

    await visitor.link("Events").click();
    await visitor.sees("turn.ended");
    expect(await page.getByText("agent.unparsed").count()).toBe(0);
    expect(visitor.complaints).toEqual([]);
  });
});

/** Say yes to everything until the agent is done. */
async function allowAll(visitor: Visitor): Promise<void> {
  const allow = visitor.button(/Allow once/).first();
  const idle = visitor.page.locator(".turn-completed").last();
  const working = visitor.page.locator(".turn-running, .turn-waiting");
  for (;;) {
    await allow.or(idle).first().waitFor();
    if (await allow.isVisible()) await allow.click();
    else if ((await working.count()) === 0) return;
    await working.first().or(idle).first().waitFor();
  }
}

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
