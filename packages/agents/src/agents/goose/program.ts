import type { AgentProgram } from "../../install/agent-program.ts";

/** The only platform whose package exists; elsewhere a `goose` on `PATH` is taken. */
export const program: AgentProgram = {
  name: "goose",
  version: "1.52.0",
  signIn: {
    login: { args: ["configure"] },
    variables: ["GOOSE_PROVIDER"],
    set: "GOOSE_PROVIDER and the key of that provider",
  },
  source: { kind: "npm", packages: { "linux-x64": { name: "@aaif/goose-binary-linux-x64", binary: "bin/goose" } } },
};
