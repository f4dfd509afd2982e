import { InvalidArgumentError } from "commander";

const MAX_PORT = 65_535;

/** The value of an option that is a port; 0 takes a free one. */
export function portNumber(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > MAX_PORT) throw new InvalidArgumentError("It is no port.");
  return port;
}
