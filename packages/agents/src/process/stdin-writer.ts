import type { Writable } from "node:stream";
import { SandboxError } from "@sandbox-agent-ts/protocol";

export interface StdinWriter {
  writeLine(line: string): Promise<void>;
  end(): void;
}

export function createStdinWriter(stdin: Writable, label: string): StdinWriter {
  // Each write reports its own failure; without a listener the stream's would end the daemon.
  stdin.on("error", () => {});
  return {
    writeLine(line) {
      return new Promise((resolve, reject) => {
        stdin.write(`${line}\n`, (error) => {
          // A write under way when the pipe is destroyed is called back without an error.
          if (error || stdin.destroyed) reject(inputClosed(label, error));
          else resolve();
        });
      });
    },
    end() {
      if (!stdin.destroyed) stdin.end();
    },
  };
}

export function inputClosed(label: string, cause?: unknown): SandboxError {
  return new SandboxError("stream_error", `${label} takes no more input; its process has ended. Start it again.`, {
    cause,
  });
}
