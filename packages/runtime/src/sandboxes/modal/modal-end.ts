/** Why a sandbox is gone, by the exit code that Modal answers for it; undefined where it knows none of that name. */
export function describeEnd(code: number | undefined): string {
  if (code === undefined) return "Modal knows it no more.";
  if (code === 124) return "It reached the end of its life, which was fixed when it was made.";
  if (code === 137) return "It was terminated at Modal.";
  return `Its main process ended with the exit code ${code}.`;
}
