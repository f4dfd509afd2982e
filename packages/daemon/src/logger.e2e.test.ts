/** Feared: the log takes the daemon down: nobody reads it, or what writes it cannot be loaded. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { createLogger, type LoadLog } from "@sandbox-agent-ts/server";
import { expect, onTestFinished, test, vi } from "vitest";
import { bundle } from "./__fixtures__/bundle.ts";

test("a log that nobody reads does not stop the daemon; what was dropped is counted", async () => {
  const options = JSON.stringify({ logLevel: "debug" });
  // A pipe of the shell, as node gives its children sockets instead. `cat` reads nothing until it is told to.
  const script = `{ "$0" "$1" "$2" 3>&1 1>&4 2>&3 | { read -r go <&5; cat >&2; }; } 4>&1 5<&0`;
  const shell = spawn("sh", ["-c", script, process.execPath, await bundle("daemon-program"), options], {
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  onTestFinished(() => void process.kill(-shell.pid!, "SIGKILL"));
  const [line] = (await once(createInterface(shell.stdout), "line")) as [string];
  const { url } = JSON.parse(line) as { url: string };
  for (let request = 0; request < 100; request++) {
    const answers = Array.from({ length: 20 }, () => fetch(`${url}/${"long".repeat(500)}`).then((it) => it.text()));
    await Promise.all(answers);
  }
  expect((await fetch(`${url}/v1/health`)).status).toBe(200);

  const counted = new Promise<string>((resolve) =>
    createInterface(shell.stderr).on("line", (text) => text.includes("dropped") && resolve(text)),
  );
  shell.stdin.write("go\n");
  expect(JSON.parse(await counted)).toMatchObject({ level: 40, lines: expect.any(Number) });
}, 60_000);

test("where the log cannot be loaded lines are written plainly, and the next one tries again", async () => {
  const lines: unknown[] = [];
  const load = vi
    .fn<LoadLog>()
    .mockRejectedValueOnce(new Error("EMFILE"))
    .mockImplementation(async () => {
      const add = (fields: object, message: string) => void lines.push([fields, message]);
      return { debug: add, info: add, warn: add, error: add };
    });
  const log = createLogger("error", "json", {}, load);
  log.error({}, "first");
  await vi.waitFor(() => {
    log.error({ n: 2 }, "second");
    expect(lines).toContainEqual([{ n: 2 }, "second"]);
  });
});
