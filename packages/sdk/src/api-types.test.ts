import type * as protocol from "@sandbox-agent-ts/protocol";
import { foldEvents as protocolFold } from "@sandbox-agent-ts/protocol";
import { expect, expectTypeOf, test } from "vitest";
import { delta, sessionEnded, turnStarted } from "./__fixtures__/scripted-server.ts";
import type * as api from "./api-types.ts";
import { emptyTranscript, foldEvents, type UniversalEvent } from "./index.ts";

/** What JSON can hold: zod allows a field that is there and undefined, the generated types do not. */
type AsJson<T> = T extends object ? { [K in keyof T]: AsJson<Exclude<T[K], undefined>> } : T;

test("the generated types are the protocol's", () => {
  expectTypeOf<api.UniversalEvent>().toExtend<protocol.UniversalEvent>();
  expectTypeOf<AsJson<protocol.UniversalEvent>>().toExtend<api.UniversalEvent>();
  expectTypeOf<api.SessionInfo>().toExtend<protocol.SessionInfo>();
  expectTypeOf<api.CreateSessionRequest>().toExtend<(typeof protocol.CreateSessionRequest)["_zod"]["input"]>();
  expectTypeOf<api.MessageRequest>().toExtend<protocol.MessageRequest>();
  expectTypeOf<api.ProblemDetails>().toExtend<protocol.ProblemDetails>();
  expectTypeOf<api.EventsQuery>().toExtend<protocol.EventsQuery>();
});

test("what the client streams can be folded", () => {
  const events: UniversalEvent[] = [turnStarted(1, "t"), delta(2), sessionEnded(3)];
  expect(foldEvents).toBe(protocolFold);
  expect(foldEvents(emptyTranscript, events)).toMatchObject({ lastSequence: 3, status: "ended" });
});
