// What OpenCode says of itself is what we can read: a type that changes in its schema does not compile here.
import { expectTypeOf, test } from "vitest";
import type { components } from "./__fixtures__/vendor-messages.gen.ts";
import type { EventProperties, NativeAgent, NativeProviders, Part } from "./dialect.ts";

type Messages = components["schemas"];
type Properties<Kind extends keyof Messages> = Messages[Kind] extends { properties: infer Inner } ? Inner : never;

test("its events fit our reading of them", () => {
  expectTypeOf<Properties<"message.updated">>().toExtend<EventProperties>();
  // Of a part that says that the model is asked again, nothing is read.
  type ReadPart = Exclude<Properties<"message.part.updated">["part"], { type: "retry" }>;
  expectTypeOf<ReadPart>().toExtend<Part>();
  expectTypeOf<Properties<"message.part.delta">>().toExtend<EventProperties>();
  expectTypeOf<Properties<"session.status">>().toExtend<EventProperties>();
  expectTypeOf<Properties<"session.error">>().toExtend<EventProperties>();
  expectTypeOf<Properties<"todo.updated">>().toExtend<EventProperties>();
  expectTypeOf<Properties<"permission.asked">>().toExtend<EventProperties>();
  expectTypeOf<Properties<"question.asked">>().toExtend<EventProperties>();
});

test("its answers fit our reading of them", () => {
  expectTypeOf<Messages["reply GET /agent"][number]>().toExtend<NativeAgent>();
  expectTypeOf<Messages["reply GET /config/providers"]>().toExtend<NativeProviders>();
});
