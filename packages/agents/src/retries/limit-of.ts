/** The longest a timer can wait; beyond it fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A time that a person may set in the environment; what is no number above zero is not set. */
export function limitOf(env: Readonly<Record<string, string>>, variable: string, otherwise: number): number {
  const wanted = Number(env[variable]);
  return wanted > 0 ? Math.min(wanted, MAX_TIMER_MS) : otherwise;
}
