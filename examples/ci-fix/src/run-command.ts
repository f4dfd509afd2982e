import { spawn } from "node:child_process";

const lastChars = 8_000;

/** Run a command line in a directory: whether it passed, and the end of what it printed. */
export async function runCommand(command: string, cwd: string): Promise<{ passed: boolean; output: string }> {
  const child = spawn(command, { cwd, shell: true, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  const keep = (text: string) => {
    output = (output + text).slice(-lastChars);
  };
  child.stdout.setEncoding("utf8").on("data", keep);
  child.stderr.setEncoding("utf8").on("data", keep);
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  return { passed: code === 0, output };
}
