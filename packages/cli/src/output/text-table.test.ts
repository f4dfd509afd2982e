import { describe, expect, it } from "vitest";
import { propertyList, textTable } from "./text-table.ts";

describe("tables for people", () => {
  it("align columns under capital headers and leave nothing at the end of a line", () => {
    const rows = [
      ["demo", "mock", ""],
      ["a-longer-id", "x", "title"],
    ];
    expect(textTable(["session", "agent", "title"], rows)).toBe(
      ["SESSION      AGENT  TITLE", "demo         mock", "a-longer-id  x      title", ""].join("\n"),
    );
  });

  it("show text of others on one line and without its control characters", () => {
    expect(textTable(["title"], [["a\nb\u001b[31mc"]])).toBe("TITLE\na b [31mc\n");
  });

  const agents = [
    { title: "agent", tone: () => "green" as const },
    { title: "name" },
    { title: "path", shrink: "middle" as const },
  ];
  const row = ["claude", "Claude Code", "/home/somebody/.local/share/sandbox-agent/programs/claude/2.1.325/claude"];

  it("fit the terminal: what may be cut is cut where it matters least", () => {
    const lines = textTable(agents, [row], { columns: 50 }).split("\n");
    expect(lines[1]).toBe("claude  Claude Code  /home/somebody…2.1.325/claude");
    expect(lines[1]).toHaveLength(50);
  });

  it("fit a narrow terminal too, then every column is cut", () => {
    for (const columns of [24, 26, 30, 40]) {
      for (const line of textTable(agents, [row], { columns }).split("\n"))
        expect(line.length).toBeLessThanOrEqual(columns);
    }
  });

  it("are as wide as a wide character is shown", () => {
    expect(textTable(["a", "b"], [["日本", "x"]])).toBe("A     B\n日本  x\n");
  });

  it("paint cells without moving the columns", () => {
    const paint = (tone: string, text: string) => `<${tone}>${text}</>`;
    expect(textTable(agents, [["a", "n", "p"]], { paint })).toBe(
      "<dim>AGENT</>  <dim>NAME</>  <dim>PATH</>\n<green>a</>      n     p\n",
    );
  });

  it("list properties that are there", () => {
    expect(propertyList({ status: "ok", uptimeMs: 5, model: null, usage: undefined })).toBe(
      "status    ok\nuptimeMs  5\n",
    );
  });

  it("list properties that go on below themselves where they are too wide", () => {
    expect(propertyList({ id: "a", problem: "Its files are damaged. Delete it." }, { columns: 30 })).toBe(
      "id       a\nproblem  Its files are\n         damaged. Delete it.\n",
    );
  });
});
