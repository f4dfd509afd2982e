import { emptyTranscript, foldEvents, type Transcript, type UniversalEvent } from "@sandbox-agent-ts/protocol";

/** A transcript is kept this often, so that a step back costs no more than this many events. */
const STRIDE = 250;

/** A session as it was after each of its events. */
export class Replay {
  readonly #kept: Transcript[] = [emptyTranscript];
  #last: Transcript = emptyTranscript;

  /** After `sequence` events of the log, which may have grown since the last call. */
  at(events: readonly UniversalEvent[], sequence: number): Transcript {
    const end = Math.max(0, Math.min(sequence, events.length));
    let transcript = this.#nearest(end);
    while (transcript.lastSequence < end) {
      const stop = Math.min(end, (Math.floor(transcript.lastSequence / STRIDE) + 1) * STRIDE);
      transcript = foldEvents(transcript, events.slice(transcript.lastSequence, stop));
      if (stop % STRIDE === 0) this.#kept[stop / STRIDE] = transcript;
    }
    this.#last = transcript;
    return transcript;
  }

  #nearest(sequence: number): Transcript {
    const at = Math.min(Math.floor(sequence / STRIDE), this.#kept.length - 1);
    const kept = this.#kept[at] ?? emptyTranscript;
    const { lastSequence } = this.#last;
    return lastSequence <= sequence && lastSequence > kept.lastSequence ? this.#last : kept;
  }
}
