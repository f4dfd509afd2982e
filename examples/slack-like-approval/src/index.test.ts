import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);

test("a permission is answered by a button, from another process, once", { timeout: 60_000 }, async () => {
  const bot = spawn(process.execPath, ["--import", "tsx", "src/index.ts"], {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(bot, "exit");
  const [CHAT_URL] = (await once(createInterface({ input: bot.stdout }), "line")) as [string];
  const chat = async (...args: string[]) =>
    (await run("npm", ["run", "--silent", "chat", "--", ...args], { env: { ...process.env, CHAT_URL, USER: "ann" } }))
      .stdout;
  const posts = () => chat("posts");
  try {
    expect(await chat("say", "run `echo hello`")).toBe("1 ann: run `echo hello`\n");
    await expect.poll(posts, { timeout: 20_000 }).toContain("2 mock: echo hello [once] [always] [reject]");
    expect(await chat("press", "2", "once")).toBe("2 mock: echo hello — once, says ann\n");
    await expect.poll(posts, { timeout: 20_000 }).toContain("3 mock: It printed: hello");
    await expect(chat("press", "2", "reject")).rejects.toMatchObject({
      stdout: "Post 2 has no button reject (any more).\n",
    });
  } finally {
    bot.kill("SIGTERM");
    await exit;
  }
});
