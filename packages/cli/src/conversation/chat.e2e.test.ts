import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { CliHome } from "../__fixtures__/cli-home.ts";
import { describeInTerminal } from "../__fixtures__/in-terminal.ts";
import { serverKinds, startServerOf } from "../__fixtures__/servers.ts";

for (const kind of serverKinds) {
  const start = async (): Promise<CliHome> => {
    const home = await CliHome.create();
    onTestFinished(await startServerOf(kind, home));
    return home;
  };

  describeInTerminal(`chat with ${kind}`, () => {
    it("is a conversation that can be left and resumed", async () => {
      const home = await start();
      const first = home.terminal(["chat", "--agent", "mock", "talk"]);
      await first.until("› ");
      first.type("echo one more thing\r");
      await first.until(/Done/);
      first.type("\x04");
      expect(await first.end()).toMatchObject({ code: 0, text: expect.stringContaining("sandbox-agent chat talk") });

      const second = home.terminal(["chat", "--continue"]);
      const shown = await second.until("one more thing");
      expect(shown).toContain("> echo one more thing");
      second.type("/quit\r");
      expect((await second.end()).code).toBe(0);
    });

    it("asks in place, and does not ask again what is always allowed", async () => {
      const home = await start();
      const chat = home.terminal(["chat", "--agent", "mock"]);
      await chat.until("› ");
      chat.type("permission\r");
      await chat.until("Allow?");
      chat.type("a\r");
      await chat.until("now and always");
      chat.type("permission\r");
      await chat.until("you always allow this command");
      chat.type("/quit\r");
      expect((await chat.end()).code).toBe(0);
    });

    it("answers questions by number and in words", async () => {
      const home = await start();
      const chat = home.terminal(["chat", "--agent", "mock", "ask"]);
      await chat.until("› ");
      chat.type("question\r");
      await chat.until("your own words");
      chat.type("1\r");
      await chat.until(/your own words[\s\S]*your own words/);
      chat.type("\r");
      await chat.until(/Done/);
      chat.type("/quit\r");
      await chat.end();
      const { events } = await home.json<{ events: { type: string; data: { answers?: string[][] } }[] }>(
        "api",
        "sessions",
        "events",
        "ask",
        "--json",
      );
      const answers = events.find(({ type }) => type === "question.resolved")?.data.answers;
      expect(answers).toEqual([[expect.any(String)], []]);
    });

    it("has commands, and says when there is none of that name", async () => {
      const home = await start();
      const chat = home.terminal(["chat", "--agent", "mock"]);
      await chat.until("› ");
      chat.type("/help\r");
      await chat.until("/permissions [mode]");
      chat.type("/permissions plan\r");
      await chat.until("Permission mode: plan.");
      chat.type("/cost\r");
      await chat.until(/told any usage|tokens? in/);
      chat.type("/nonsense\r");
      await chat.until("There is no command /nonsense.");
      chat.type("/new\r");
      await chat.until(/Starting mock[\s\S]*Starting mock/);
      chat.type("/quit\r");
      expect((await chat.end()).code).toBe(0);
    });

    it("Esc stops the turn and the conversation goes on", async () => {
      const home = await start();
      const chat = home.terminal(["chat", "--agent", "mock"]);
      await chat.until("› ");
      chat.type("permission\r");
      await chat.until("Allow?");
      chat.type("\x1b");
      await chat.until("Interrupted.");
      chat.type("echo still here\r");
      await chat.until(/still here[\s\S]*Done/);
      chat.type("\x03");
      expect((await chat.end()).code).toBe(0);
    });
  });

  describeInTerminal(`what is typed while a turn runs with ${kind}`, () => {
    it("is sent with the next turns when it was finished, and stays in the line when it was not", async () => {
      const home = await start();
      const chat = home.terminal(["chat", "--agent", "mock", "ahead"]);
      await chat.until("› ");
      chat.type("permission\r");
      await chat.until("Allow?");
      chat.type("y\rslow 4 250\recho typed ahead\recho half");
      await chat.until(/› slow 4 250[\s\S]*Done/);
      await chat.until(/› echo typed ahead\ntyped ahead[\s\S]*Done[\s\S]*› echo half/);
      chat.type(" a line\r");
      await chat.until(/\nhalf a line/);
      chat.type("\x04");
      expect((await chat.end()).code).toBe(0);
      const { events } = await home.json<{ events: { type: string }[] }>("sessions", "events", "ahead", "--json");
      expect(events.filter(({ type }) => type === "turn.started")).toHaveLength(4);
    });
  });
}

describeInTerminal("a session that cannot be recovered", () => {
  it("is told in a sentence wherever it is met, with the commands that read and delete it", async () => {
    const home = await CliHome.create();
    const { server } = await home.startServer();
    await home.json("sessions", "create", "broken", "--agent", "mock");
    await home.json("sessions", "send-message", "broken", "echo hello");
    const gone = once(server, "exit");
    server.kill("SIGTERM");
    await gone;
    writeFileSync(join(home.dataDir, "sessions", "broken", "session.json"), "{");
    await home.startServer();

    const sentence =
      /damaged[\s\S]*`sandbox-agent sessions events broken`[\s\S]*`sandbox-agent sessions delete broken`/;
    const list = await home.terminal(["sessions", "list"]).end();
    expect(list.text).toMatch(/broken +\S+ +problem /);
    expect(list.text).toMatch(sentence);
    expect((await home.terminal(["sessions", "get", "broken"]).end()).text).toMatch(sentence);
    const chat = await home.terminal(["chat", "broken"]).end();
    expect([chat.code, chat.text]).toEqual([1, expect.stringMatching(sentence)]);
    expect((await home.terminal(["sessions", "events", "broken"]).end()).text).toContain("hello");
    expect((await home.terminal(["sessions", "delete", "broken"]).end()).code).toBe(0);
  });
});

it("chat without a terminal says what to use instead", async () => {
  const home = await CliHome.create();
  const { code, stderr } = await home.run(["chat", "--agent", "mock"]);
  expect(code).toBe(2);
  expect(stderr).toContain("sandbox-agent run");
});
