import { describeAgent } from "@sandbox-agent-ts/agents/contract";
import { scenario } from "./__fixtures__/contract-scenario.ts";
import { createFakeAgent } from "./fake-agent-adapter.ts";

describeAgent("fake", () => createFakeAgent({ graceMs: 500 }), scenario);
