import type { AgentProgram, NodeDependency, Platform } from "../../install/agent-program.ts";

const PTY = "1.2.0-beta.10";

/**
 * The last version that runs on Node 20. Of those that want Node 22, 0.24.4 does not pass the contract suite. Without a terminal for its commands it takes a command
 * for ended before all of its output is there, and loses the rest on a busy machine.
 */
export const program: AgentProgram = {
  name: "qwen",
  version: "0.15.10",
  signIn: {
    login: { args: ["auth"] },
    variables: ["OPENAI_API_KEY", "DASHSCOPE_API_KEY", "BAILIAN_CODING_PLAN_API_KEY"],
    set: "OPENAI_API_KEY (with OPENAI_BASE_URL and OPENAI_MODEL)",
  },
  modelService: { variable: "OPENAI_BASE_URL" },
  source: {
    kind: "npm-node",
    package: "@qwen-code/qwen-code",
    entry: "cli.js",
    dependencies: [
      { name: "@lydell/node-pty", version: PTY },
      ...(["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"] as const).map(ptyFor),
    ],
  },
};

function ptyFor(platform: Platform): NodeDependency {
  return { name: `@lydell/node-pty-${platform}`, version: PTY, platforms: [platform] };
}
