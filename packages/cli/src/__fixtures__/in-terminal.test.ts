import { expect, it } from "vitest";
import { CliHome } from "./cli-home.ts";
import { describeInTerminal } from "./in-terminal.ts";

describeInTerminal("a program in a terminal", () => {
  it("is read as it goes, typed into, and ended with its exit code", async () => {
    const home = await CliHome.create();
    const server = home.terminal(["server", "--port", "0"]);
    await server.until("Try: curl");
    server.type("\x03");
    expect(await server.exited).toBe(0);
  });

  it("that ends too early is told with what it wrote", async () => {
    const home = await CliHome.create();
    await expect(home.terminal(["sessions", "bogus"]).until("Never")).rejects.toThrow("bogus");
  });
});
