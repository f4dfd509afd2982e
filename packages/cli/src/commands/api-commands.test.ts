import { routes } from "@sandbox-agent-ts/protocol";
import { describe, expect, it } from "vitest";
import { apiCommands } from "./api-commands.ts";

describe("the command table", () => {
  it("knows which operations stream", () => {
    const streaming = routes.filter(({ response }) => "type" in response && response.type === "text/event-stream");
    const known = apiCommands.filter(({ streams }) => streams);
    expect(known.map(({ route }) => route).toSorted()).toEqual(streaming.map(({ id }) => id).toSorted());
  });

  it("names every command once", () => {
    const names = apiCommands.flatMap(({ words: [group, name], alias }) => [
      `${group} ${name}`,
      ...(alias === undefined ? [] : [`${group} ${alias}`]),
    ]);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(apiCommands.map((command) => [command.words.join(" "), command] as const))(
    "puts %s where its route's tag says",
    (_, command) => {
      expect(routes.find(({ id }) => id === command.route)?.tag).toBe(command.words[0]);
    },
  );

  it.each(apiCommands.map((command) => [command.words.join(" "), command] as const))(
    "takes every path parameter of the route for %s",
    (_, command) => {
      const path = routes.find(({ id }) => id === command.route)?.path ?? "";
      const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) =>
        name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      );
      const required = (command.arguments ?? []).filter(({ optional }) => !optional).map(({ name }) => name);
      expect(required).toEqual(expect.arrayContaining(parameters));
    },
  );

  it.each(apiCommands.map((command) => [command.words.join(" "), command] as const))(
    "teaches %s with an example of its own",
    (_, command) => {
      expect(command.examples.length).toBeGreaterThan(0);
      for (const example of command.examples) expect(example).toContain(command.words.join(" "));
    },
  );
});
