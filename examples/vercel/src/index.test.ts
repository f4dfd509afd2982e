import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { startProviderService } from "@sandbox-agent-ts/testing/providers";
import { expect, test } from "vitest";

const run = promisify(execFile);

test("a session runs from its first word to the end of its sandbox", { timeout: 120_000 }, async () => {
  const service = await startProviderService("vercel");
  try {
    const { stdout } = await run("npm", ["start"], {
      env: { ...process.env, ...service.env, VERCEL_API_URL: String(service.settings.apiUrl) },
    });
    expect(stdout).toContain("allowed: Run the command echo hello from the sandbox");
    expect(stdout).toContain("It printed: hello from the sandbox");
    expect(stdout).toContain("+Written from outside.");
    expect(service.ledger.running).toEqual([]);
    expect(service.boxes.size).toBe(0);
  } finally {
    await service.close();
  }
});
