/** Feared: a turn that ends without a reason though somebody knew why the daemon had ended. */
import { expect, test } from "vitest";
import { DaemonProcess } from "../__fixtures__/daemon-process.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";

test("a turn that a daemon cut off says why that daemon ended, where the next one is told", async () => {
  const dataDir = temporaryDirectory();
  const first = await DaemonProcess.start({ dataDir });
  await first.client.create("s", { agent: "mock" });
  const turn = await first.client.startTurn("s", "permission");
  await turn.until(({ type }) => type === "permission.requested");
  await first.kill();
  const second = await DaemonProcess.start({ dataDir, restartReason: "Its memory was used up." });
  const message =
    "The daemon restarted while this turn was running. Its memory was used up. Send the message again to go on.";
  expect((await second.client.soundLog("s")).at(-1)).toMatchObject({
    type: "turn.ended",
    data: { metadata: { reason: "error", message } },
  });
});
