/** Feared: sandboxes that outlive not only their runtime, but also the test that made them. */
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { SharedEnd } from "../../../daemon/src/__fixtures__/at-end.ts";
import { MarkedSandboxes } from "../runtime/__fixtures__/marked-sandboxes.ts";
import { CliHome } from "./cli-home.ts";
import { startServerOf } from "./servers.ts";

test.skipIf(!existsSync("/proc/self/environ"))(
  "what a runtime made ends with its home, whoever forgot to delete it (needs /proc to be found)",
  { timeout: 120_000 },
  async () => {
    const shared = new SharedEnd();
    const home = await CliHome.create(shared.atEnd);
    await startServerOf("a runtime", home);
    expect((await home.run(["run", "echo hello", "--agent", "mock"])).stdout).toBe("hello\n");
    const sandboxes = new MarkedSandboxes(home);
    expect(sandboxes.processes.filter(({ isDaemon }) => isDaemon)).not.toEqual([]);
    await shared.undoAll();
    expect(sandboxes.processes).toEqual([]);
  },
);
