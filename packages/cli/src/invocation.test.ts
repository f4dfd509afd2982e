import { describe, expect, it } from "vitest";
import { readInvocation } from "./invocation.ts";

describe("what a command line starts", () => {
  it.each([
    [
      ["server", "--port", "0"],
      ["--port", "0"],
    ],
    [
      ["--token", "T", "--host", "H", "--port", "1"],
      ["--token", "T", "--host", "H", "--port", "1"],
    ],
    [
      ["-t", "server", "server", "-n"],
      ["-t", "server", "-n"],
    ],
    [["--token=T", "server"], ["--token=T"]],
    [["--no-token"], ["--no-token"]],
    [["--unknown"], ["--unknown"]],
  ])("%j is a server", (args, flags) => {
    expect(readInvocation(args)).toEqual({ kind: "server", flags });
  });

  it.each([
    [[]],
    [["--help"]],
    [["server", "--help"]],
    [["-t", "T", "sessions", "list"]],
    [["--endpoint", "http://h", "agents", "list"]],
    [["help", "server"]],
  ])("%j is a matter for the program", (args) => {
    expect(readInvocation(args)).toEqual({ kind: "program", args });
  });

  it("--version alone is answered at once", () => {
    expect(readInvocation(["--version"])).toEqual({ kind: "version" });
    expect(readInvocation(["-V"])).toEqual({ kind: "version" });
  });
});
