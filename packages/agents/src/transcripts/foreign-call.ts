const LONGEST_NAME = 64;

/** Tools of other agents may have names that no model service takes. */
export function takenName(tool: string): string {
  return takenId(tool).slice(0, LONGEST_NAME) || "tool";
}

/** Made of the only characters that all model services take. */
export function takenId(id: string): string {
  return id.replaceAll(/[^A-Za-z0-9_-]/g, "_");
}

/** The input of a call as an object, whatever it was. */
export function inputOf(text: string): object {
  try {
    const input: unknown = JSON.parse(text);
    return typeof input === "object" && input !== null && !Array.isArray(input) ? input : { input };
  } catch {
    return { input: text };
  }
}
