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

  it("list properties that are there", () => {
    expect(propertyList({ status: "ok", uptimeMs: 5, model: null, usage: undefined })).toBe(
      "status    ok\nuptimeMs  5\n",
    );
  });
});
