import { fileURLToPath } from "node:url";
import type { McpServerConfig, SkillsConfig } from "@sandbox-agent-ts/protocol";

function fixture(name: string): string {
  return fileURLToPath(new URL(`../../contract-fixtures/${name}`, import.meta.url));
}

/** A real MCP server with two tools: `shout` and `whisper` answer their `text` in capitals and in small letters. */
export const mcpServerConfig: McpServerConfig = {
  type: "local",
  command: process.execPath,
  args: [fixture("mcp-server.mjs")],
};

/** A folder with one skill, `lighthouse`. */
export const skillsConfig: SkillsConfig = { sources: [{ type: "local", source: fixture("skills") }] };
export const skillDescription = "Keeps the light of the Pharos burning through the night.";

/** A picture of 16 × 16 in two colours. */
export const pixel: Uint8Array = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQAQMAAAAlPW0iAAAABlBMVEUfb+v2+Pp9v1DxAAAAE0lEQVR42mPg52eAow8fEAiHOAAqXw/xPczXZQAAAABJRU5ErkJggg==",
  "base64",
);
