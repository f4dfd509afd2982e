/** The part of a help text that shows how it is done; an example with a pipe in front names the program itself. */
export function examplesHelp(examples: readonly string[]): string {
  const lines = examples.map((example) => `  ${example.includes("sandbox-agent") ? "" : "sandbox-agent "}${example}`);
  return `\n${examples.length > 1 ? "Examples" : "Example"}:\n${lines.join("\n")}`;
}
