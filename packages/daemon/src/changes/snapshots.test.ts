/** Feared: a diff of the wrong stretch of time, one that a restart loses, and snapshots that outlive their session. */
import { appendFileSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { codeOf, session } from "../__fixtures__/client.ts";
import { eventually } from "../__fixtures__/eventually.ts";
import { temporaryDirectory } from "../__fixtures__/temporary-directory.ts";
import { changed, repository, Work, write } from "./__fixtures__/work.ts";

describe("turns", () => {
  it("are compared with their own start, up to now or up to the start of another", async () => {
    const directory = repository({ "a.txt": "0\n" });
    const work = await Work.in(directory);
    const first = await work.turn(() => write(directory, { "a.txt": "1\n" }));
    write(directory, { "by-hand.txt": "between turns\n" });
    const second = await work.turn(() => write(directory, { "b.txt": "b\n" }));
    const paths = async (query: string) => (await work.diff(query)).files.map(({ path }) => path);
    expect(await paths("")).toEqual(["a.txt", "b.txt", "by-hand.txt"]);
    expect(await paths(`?turn=${first}`)).toEqual(["a.txt", "b.txt", "by-hand.txt"]);
    expect(await paths(`?turn=${second}`)).toEqual(["b.txt"]);
    expect(await paths(`?turn=${first}&until=${second}`)).toEqual(["a.txt", "by-hand.txt"]);
    expect((await work.diff(`?turn=${second}`)).base).toMatchObject({ kind: "turn", turnId: second });
    const summary = await work.diff("?format=summary");
    expect(summary.files).toHaveLength(3);
    expect(summary).not.toHaveProperty("diff");
    const unknown = await work.daemon.client.call("GET", `${session(work.id)}/diff?turn=turn_nobody`);
    expect(codeOf(unknown)).toBe("not_found");
  });

  it("survive a restart of the daemon", async () => {
    const directory = repository({ "a.txt": "0\n" });
    const work = await Work.in(directory);
    await work.turn(() => write(directory, { "a.txt": "1\n" }));
    const { dataDir } = work.daemon;
    await work.daemon.close();
    write(directory, { "while-away.txt": "w\n" });
    await work.start({ dataDir });
    const second = await work.turn(() => write(directory, { "b.txt": "b\n" }));
    const paths = async (query: string) => (await work.diff(query)).files.map(({ path }) => path);
    expect(await paths("")).toEqual(["a.txt", "b.txt", "while-away.txt"]);
    expect(await paths(`?turn=${second}`)).toEqual(["b.txt"]);
  });
});

describe("without snapshots", () => {
  const fileRef = {
    type: "file_ref",
    path: "a.txt",
    action: "patch",
    diff: "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,1 @@\n+a\n",
  } as const;

  it("the log tells what the agent reported, and a note why no more is known", async () => {
    const directory = temporaryDirectory();
    const work = await Work.in(directory, { env: { PATH: temporaryDirectory() } });
    const report = () => {
      const item = {
        item_id: "call",
        kind: "tool_call",
        role: "assistant",
        status: "completed",
        content: [fileRef],
      } as const;
      work.agent.emit({ type: "item.completed", data: { item: { ...item, content: [...item.content] } } });
    };
    const first = await work.turn(report);
    const second = await work.turn();
    const diff = await work.diff();
    expect(diff).toMatchObject({ source: "log", files: [changed("a.txt", "added", 1, 0)], diff: fileRef.diff });
    expect(diff.notes?.join(" ")).toContain("git is not installed where the daemon runs.");
    expect((await work.diff(`?turn=${first}&until=${second}`)).files).toHaveLength(1);
    expect((await work.diff(`?turn=${second}`)).files).toEqual([]);
  });

  it("nothing is taken before the first message, and nothing has changed", async () => {
    const work = await Work.in(repository({ "a.txt": "0\n" }));
    const diff = await work.diff();
    expect(diff).toMatchObject({ source: "log", files: [], diff: "" });
    expect(diff.notes).toEqual(["No message was sent yet; changes are recorded from the first message on."]);
    expect(existsSync(join(work.daemon.dataDir, "snapshots"))).toBe(false);
  });

  it("a directory is told by the log when it cannot be looked at any more", async () => {
    const directory = repository({ "a.txt": "0\n" });
    const work = await Work.in(directory);
    await work.turn();
    rmSync(directory, { recursive: true });
    expect(await work.diff()).toMatchObject({ source: "log", files: [] });
  });
});

describe("a deleted session", () => {
  it("takes its snapshots with it, and leaves those of others in the same directory", async () => {
    const directory = repository({ "a.txt": "0\n" });
    const work = await Work.in(directory);
    await work.turn(() => appendFileSync(join(directory, "a.txt"), "1\n"));
    const { client, dataDir } = work.daemon;
    await client.create("other", { agent: "mock", directory });
    await client.turn("other", "echo hello");
    await client.call("DELETE", session(work.id));
    expect((await work.diff("", "other")).source).toBe("git");
    await client.call("DELETE", session("other"));
    await eventually(() => expect(readdirSync(join(dataDir, "snapshots"))).toEqual([]));
  });

  it("leaves nothing, even if the daemon was killed in between", async () => {
    const directory = temporaryDirectory();
    const work = await Work.in(directory);
    await work.turn();
    const { dataDir } = work.daemon;
    await work.daemon.close();
    rmSync(join(dataDir, "sessions"), { recursive: true });
    mkdirSync(join(dataDir, "sessions"));
    await work.start({ dataDir });
    await eventually(() => expect(readdirSync(join(dataDir, "snapshots"))).toEqual([]));
  });
});
