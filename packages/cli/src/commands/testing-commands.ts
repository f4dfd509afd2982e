import type { RecordedRequest } from "@sandbox-agent-ts/testing/model";
import type { Command } from "commander";
import { exitCode } from "../exit-code.ts";
import { Output } from "../output/output.ts";
import { blamed } from "./blamed.ts";
import { examplesHelp } from "./examples-help.ts";
import type { Finish } from "./finish.ts";
import { portNumber } from "./port-number.ts";
import { readJsonFile } from "./read-json-file.ts";
import { modelBanner, requestLines } from "./testing-model-text.ts";
import { addTestingProviderCommand } from "./testing-provider-command.ts";

const exampleScript = `
A script is JSON: a list of steps, or conversations by what the user says. For example:

  {
    "conversations": [
      { "name": "listing", "when": { "prompt": "list the files" }, "steps": [
        { "reasoning": "I need the shell.", "text": "Let me look.",
          "toolCalls": [{ "name": "Bash", "input": { "command": "ls" } }] },
        { "text": "That is all of them." } ] },
      { "name": "trouble", "when": { "prompt": "trouble" }, "steps": [
        { "error": { "status": 529 } }, { "text": ["half of ", "it"], "cut": 1 }, { "text": "Here it is." } ] }
    ],
    "fallback": "echo"
  }`;

export function addTestingCommands(program: Command, finish: Finish): void {
  const testing = program.command("testing").description("Services to test agents and products with, without tokens");
  testing
    .command("model")
    .description("Run a model service that says what a script says, in the APIs of Anthropic, OpenAI and Gemini")
    .requiredOption("-s, --script <file>", "what the model will say, as JSON")
    .option("-p, --port <port>", "port to listen on, 0 takes a free one", portNumber, 0)
    .option("--host <address>", "address to listen on, e.g. one that containers reach", "127.0.0.1")
    .addHelpText("after", `${examplesHelp(["testing model --script script.json --port 4010"])}\n${exampleScript}`)
    .action(async ({ script, port, host }: { script: string; port: number; host: string }) => {
      await serveModel(script, { port, host }, new Output(process.stdout));
      finish(exitCode.ok);
    });
  addTestingProviderCommand(testing, finish);
}

/** Runs until the process is ended: the open port keeps it alive. */
async function serveModel(file: string, place: { port: number; host: string }, out: Output): Promise<void> {
  const json = await readJsonFile(file);
  const { agentRecipes, parseScript, startModel } = await import("@sandbox-agent-ts/testing/model");
  const script = await blamed(`${file}: `, () => parseScript(json));
  const onRequest = (request: RecordedRequest): void => void out.line(requestLines(request));
  const { url } = await blamed("", () => startModel({ script, ...place, onRequest }));
  await out.line(modelBanner(url, agentRecipes(url)));
}
