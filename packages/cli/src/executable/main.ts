/** What the single executable starts with, in place of `bin.ts`. */
import { loadPart } from "./load-part.ts";
import { isCalledNode, runAsNode } from "./run-as-node.ts";

if (isCalledNode(process.argv0)) runAsNode(process.argv.slice(2));
else loadPart("sandbox-agent.cjs");
