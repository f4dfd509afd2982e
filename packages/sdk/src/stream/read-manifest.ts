import type { FsManifestLine } from "../api-types.ts";
import { SandboxAgentError } from "../sandbox-agent-error.ts";

/** The lines of a manifest as they come; throws where its last one is missing. */
export async function* readManifest(response: Response): AsyncGenerator<FsManifestLine, void, undefined> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let isWhole = false;
  try {
    for (let step = await reader?.read(); step && !step.done; step = await reader?.read()) {
      const lines = (rest + step.value).split("\n");
      rest = lines.pop() ?? "";
      for (const text of lines) {
        const line = JSON.parse(text) as FsManifestLine;
        isWhole = line.type === "end";
        yield line;
      }
    }
  } finally {
    await reader?.cancel().catch(() => {});
  }
  if (!isWhole) throw SandboxAgentError.withoutResponse("The manifest was cut off. Ask for it again.");
}
