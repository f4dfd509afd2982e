/** A time that a person may set in the environment; what is no number above zero is not set. */
export function limitOf(env: Readonly<Record<string, string>>, variable: string, otherwise: number): number {
  const wanted = Number(env[variable]);
  return wanted > 0 ? wanted : otherwise;
}
