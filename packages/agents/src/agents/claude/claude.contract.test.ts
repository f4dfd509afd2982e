import { describeAgent } from "../../contract/describe-agent.ts";
import { scenario } from "./__fixtures__/contract-scenario.ts";
import { adapter } from "./index.ts";

describeAgent("claude", () => adapter, scenario);
