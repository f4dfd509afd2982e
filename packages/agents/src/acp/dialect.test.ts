// What the official SDK says may come is what we can read.
import type {
  CreateElicitationRequest,
  InitializeResponse,
  LoadSessionResponse,
  NewSessionResponse,
  PromptResponse,
  RequestPermissionRequest,
  SessionUpdate,
} from "@agentclientprotocol/sdk";
import { PROTOCOL_VERSION as sdkVersion } from "@agentclientprotocol/sdk";
import { expect, expectTypeOf, test } from "vitest";
import {
  type AcpElicitation,
  type AcpInitialized,
  type AcpOpened,
  type AcpPermissionRequest,
  type AcpPromptResult,
  type AcpUpdate,
  PROTOCOL_VERSION,
} from "./dialect.ts";

test("every message of the protocol fits our reading of it", () => {
  expectTypeOf<SessionUpdate>().toExtend<AcpUpdate>();
  expectTypeOf<InitializeResponse>().toExtend<AcpInitialized>();
  expectTypeOf<NewSessionResponse>().toExtend<AcpOpened>();
  expectTypeOf<LoadSessionResponse>().toExtend<AcpOpened>();
  expectTypeOf<RequestPermissionRequest>().toExtend<AcpPermissionRequest>();
  expectTypeOf<PromptResponse>().toExtend<AcpPromptResult>();
  expectTypeOf<CreateElicitationRequest>().toExtend<AcpElicitation>();
});

test("we speak the version of the SDK's stable part", () => {
  expect(PROTOCOL_VERSION).toBe(sdkVersion);
});
