import { describeAgent } from "../../contract/describe-agent.ts";
import { adapter } from "./index.ts";

describeAgent("mock", () => adapter, {
  provoke: {
    text: { message: "good morning", replies: "good morning" },
    longText: { message: "markdown", replies: "A quotation." },
    reasoning: { message: "markdown" },
    toolCall: { message: "tool" },
    command: { message: "tool" },
    fileChange: { message: "tool" },
    mcpTool: { skip: "the mock starts no MCP servers" },
    subagent: { message: "tool" },
    status: { message: "status" },
    image: { message: "image" },
    attachment: {
      message: "look at this",
      attachments: [{ path: "photos/cat.png", mime: "image/png", filename: "cat.png" }],
      replies: "cat.png (image/png)",
    },
    permission: { message: "permission" },
    question: { message: "question" },
    error: { message: "error" },
    sessionEnd: { message: "end" },
  },
});
