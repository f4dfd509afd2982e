import { fileURLToPath } from "node:url";

/** The fake agent program, to be run with `process.execPath`; its header says what it can be told to do. */
export const fakeAgentPath = fileURLToPath(new URL("../fake-agent/fake-agent.mjs", import.meta.url));
