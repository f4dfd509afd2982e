import { agentRecipes, say, startModel } from "@sandbox-agent-ts/testing/model";
import { expect, it } from "vitest";
import { modelBanner, requestLines } from "./testing-model-text.ts";

it("the banner has lines that a shell understands", () => {
  const banner = modelBanner("http://127.0.0.1:4010", agentRecipes("http://127.0.0.1:4010"));
  expect(banner).toContain("ANTHROPIC_BASE_URL=http://127.0.0.1:4010 ");
  expect(banner).toContain(`OPENCODE_CONFIG_CONTENT='{"autoupdate":false`);
  expect(banner).toContain("# with ~/.gemini/settings.json: {");
});

it("a request is one line, and so is each of its problems", async () => {
  const lines: string[] = [];
  const script = [{ ...say("hi"), expect: { tools: ["Bash"] } }];
  const model = await startModel({ script, onRequest: (request) => lines.push(requestLines(request)) });
  const messages = [{ role: "user", content: `${"long ".repeat(20)}hello` }];
  await fetch(`${model.url}/v1/messages`, { method: "POST", body: JSON.stringify({ model: "m", messages }) });
  await model.close();
  expect(lines).toEqual([
    `0 anthropic m "…${"long ".repeat(11)}hello" → steps[0]\n  ! steps[0] expected the tool Bash, offered are: none`,
  ]);
});
