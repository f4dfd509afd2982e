import { readFile } from "node:fs/promises";
import { UsageError } from "../usage-error.ts";

/** The JSON in a file that somebody named on the command line. */
export async function readJsonFile(path: string): Promise<unknown> {
  const text = await readFile(path, "utf8").catch((error: Error) => {
    throw new UsageError(`Cannot read ${path}: ${error.message}`);
  });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${path} is not JSON: ${(error as Error).message}`);
  }
}
