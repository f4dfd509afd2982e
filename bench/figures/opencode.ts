import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { agentRecipes, say, startModel } from "@sandbox-agent-ts/testing/model";
import { compare, type Figure } from "../figure.ts";
import { agentProgram } from "../support/agent-program.ts";
import { BareOpencode } from "../support/bare-opencode.ts";
import { startCli, temporaryDirectory } from "../support/child-server.ts";
import { childrenOf, laterTurns, newSession, turn } from "./real-agents.ts";

const answer = { conversations: [{ when: {}, steps: [{ ...say("Hello from the model."), repeat: 1_000_000 }] }] };
const crowd = 20;

export const opencode: Figure = {
  name: "opencode",
  work: "OpenCode, real, against a scripted model",
  measure: async ({ rounds }) => {
    const program = await agentProgram("opencode");
    const model = await startModel({ script: answer });
    const home = temporaryDirectory();
    const directory = folder(home, "work");
    const recipe = agentRecipes(model.url).find(({ agent }) => agent === "OpenCode")?.env ?? {};
    const env = { PATH: process.env.PATH!, HOME: home, ...recipe };
    const daemon = await startCli({ ...env, SANDBOX_AGENT_OPENCODE_BIN: program });
    try {
      const open = async () => {
        // Two servers on one home would write each other's databases.
        const bare = new BareOpencode(program, { ...env, HOME: folder(home, "bare") }, directory);
        await bare.open();
        return { bare, session: await newSession(daemon, "opencode", directory) };
      };
      const later = await laterTurns(open, { pairs: 1, turns: rounds * 4 });
      for (let n = 0; n < crowd; n++) await turn(await newSession(daemon, "opencode", directory));
      const processes = { ours: childrenOf(daemon.pid), floor: 1 };
      return [
        compare("a later turn", "ms", "bare server", later, { atMost: 1.1 }),
        compare(`processes for ${crowd} sessions`, "processes", "one for all", processes, { atMost: 1 }),
      ];
    } finally {
      await daemon.stop();
      await model.close();
    }
  },
};

function folder(home: string, name: string): string {
  const path = join(home, name);
  mkdirSync(path);
  return path;
}
