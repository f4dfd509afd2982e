/** Feared: the same as in `full-disk.test.ts`, on a disk that really is full, with a daemon and an agent that are processes. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentProcesses } from "../__fixtures__/agent-processes.ts";
import { agentText, codeOf, ofType, session } from "../__fixtures__/client.ts";
import { DaemonProcess } from "../__fixtures__/daemon-process.ts";
import { eventually } from "../__fixtures__/eventually.ts";
import { mayMount, SmallDisk } from "../__fixtures__/small-disk.ts";

const isPossible = mayMount();
const unless = isPossible ? "" : " (not here: this user may not mount a disk)";
const large = "x".repeat(100_000);
/** What is kept back to be freed: the end of a turn may repeat what is left of its text. */
const reserve = 4 * 1024 * 1024;

test.skipIf(!isPossible)(
  `a flood into a full disk ends its turn, once there is space, and nothing else${unless}`,
  async () => {
    const disk = new SmallDisk();
    disk.take(reserve);
    const dataDir = join(disk.directory, "data");
    const daemon = await DaemonProcess.start({ dataDir, logLevel: "warn" });
    const { client } = daemon;
    for (const id of ["flooding", "bystander"]) await client.create(id, { agent: "fake" });
    await client.turn("bystander", "hello");
    const reader = await client.follow("flooding");
    await client.message("flooding", "flood 100000 1000");
    await eventually(() => expect(daemon.stderr).toContain("trying again"));
    disk.fill();

    const refused = [
      await client.call("POST", session("new"), { agent: "mock", systemPrompt: large }),
      await client.send("bystander", large),
      await client.call("POST", `${session("flooding")}/terminate`),
    ];
    for (const answer of refused) {
      expect(answer.status, answer.text).toBe(500);
      expect(codeOf(answer)).toBe("internal_error");
      expect(answer.json().detail).toMatch(/^Cannot keep data in .* \(ENOSPC\)\. The disk is full: free some space/);
    }
    expect((await client.call("GET", session("new"))).status).toBe(404);
    expect((await client.call("GET", "/v1/health")).status).toBe(200);
    const shown = reader.events.length;
    expect(await client.events("flooding")).toHaveLength(shown);

    disk.empty();
    await reader.until((event) => event.type === "turn.ended");
    const log = await client.soundLog("flooding");
    expect(reader.events).toEqual(log);
    const { reason, message } = ofType(log, "turn.ended")[0]!.data.metadata;
    expect(reason).toBe("error");
    expect(message).toContain("The disk is full");
    expect(agentText(await client.turn("flooding", "hello again"))).toBe("hello again");
    expect(agentText(await client.turn("bystander", "here too"))).toBe("here too");
    await client.create("new");
    for (const id of ["flooding", "bystander", "new"]) await client.soundLog(id);
  },
);

test.skipIf(!isPossible)(
  `a session can be deleted, and a daemon stopped and started, on a full disk${unless}`,
  async () => {
    const disk = new SmallDisk();
    const dataDir = join(disk.directory, "data");
    const first = await DaemonProcess.start({ dataDir });
    for (const id of ["deleted", "kept"]) await first.client.create(id, { agent: "fake" });
    for (const id of ["deleted", "kept"]) {
      const reader = await first.client.follow(id);
      await first.client.message(id, "slow 1000 20");
      await reader.until((event) => event.source === "agent");
      reader.drop();
    }
    disk.fill();
    expect((await first.client.call("DELETE", session("deleted"))).status).toBe(204);
    disk.fill();
    expect(await first.stop()).toBe(0);
    expect(agentProcesses(dataDir)).toEqual([]);

    disk.fill();
    const reading = await DaemonProcess.start({ dataDir });
    expect((await reading.client.events("kept")).length).toBeGreaterThan(0);
    await reading.stop();
    disk.empty();
    const { client } = await DaemonProcess.start({ dataDir });
    expect((await client.call("GET", session("deleted"))).status).toBe(404);
    await client.soundLog("kept");
    expect(agentText(await client.turn("kept", "hello again"))).toBe("hello again");
  },
);
