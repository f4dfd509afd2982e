/** How long the network may take; tests are less patient. */
export interface NetworkLimits {
  /** Until the headers of an answer are there. */
  readonly answerMs: number;
  /** Between two pieces of a body. */
  readonly stallMs: number;
  /** Before each further attempt; as many attempts as there are pauses, and one more. */
  readonly retryPausesMs: readonly number[];
  /** No program is larger; an archive without an end is given up. */
  readonly maxArchiveBytes: number;
}

export const defaultNetworkLimits: NetworkLimits = {
  answerMs: 30_000,
  stallMs: 30_000,
  retryPausesMs: [300, 2_000],
  maxArchiveBytes: 2 * 1024 ** 3,
};
