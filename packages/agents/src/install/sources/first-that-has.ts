import { SandboxError } from "@sandbox-agent-ts/protocol";
import { type InstallFailureDetails, installFailure, isOfDisk } from "../install-failure.ts";

export interface Place<T> {
  /** For the sentence when no place has it. */
  readonly label: string;
  attempt(): Promise<T>;
}

/**
 * What the first of these places gives. Another one is asked where a place has it not, cannot be reached or gives what is
 * not right; not where this machine is at fault, or what came is right and of no use.
 */
export async function firstThatHas<T>(
  places: readonly Place<T>[],
  onNext?: (label: string, failure: SandboxError) => void,
): Promise<T> {
  const failures: { readonly label: string; readonly failure: SandboxError }[] = [];
  for (const { label, attempt } of places) {
    try {
      return await attempt();
    } catch (error) {
      if (!isOfPlace(error)) throw error;
      failures.push({ label, failure: error });
      if (failures.length < places.length) onNext?.(label, error);
    }
  }
  const [first, ...others] = failures;
  if (first === undefined) throw new Error("There is no place to ask.");
  if (others.length === 0) throw first.failure;
  const sentence = failures.map(({ label, failure }) => `From ${label}: ${failure.message}`).join(" ");
  throw installFailure(sentence, first.failure.details as InstallFailureDetails, first.failure);
}

function isOfPlace(error: unknown): error is SandboxError {
  if (!(error instanceof SandboxError) || error.code !== "install_failed" || isOfDisk(error)) return false;
  const { step } = (error.details ?? {}) as Partial<InstallFailureDetails>;
  return step === "registry" || step === "resolve" || step === "download";
}
