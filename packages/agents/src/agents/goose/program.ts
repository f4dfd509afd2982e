import type { AgentProgram } from "../../install/agent-program.ts";
import { releases } from "./releases.ts";

/** The registry has a package for one platform only; for the others there are the releases. */
export const program: AgentProgram = {
  name: "goose",
  version: "1.52.0",
  signIn: {
    login: { args: ["configure"] },
    variables: ["GOOSE_PROVIDER"],
    set: "GOOSE_PROVIDER and the key of that provider",
  },
  source: { kind: "npm", packages: { "linux-x64": { name: "@aaif/goose-binary-linux-x64", binary: "bin/goose" } } },
  vendor: releases,
};
