/** Where nothing is painted: in a hidden page, which gets no frames, and outside of browsers. */
const HIDDEN_FRAME_MS = 200;
const SERVER_FRAME_MS = 16;

/** Call when the next frame is about to be painted, or soon where none is. Returns how to call it off. */
export function nextFrame(call: () => void): () => void {
  if (typeof requestAnimationFrame === "undefined") {
    const timer = setTimeout(call, SERVER_FRAME_MS);
    return () => clearTimeout(timer);
  }
  const cancel = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
  const run = () => {
    cancel();
    call();
  };
  const frame = requestAnimationFrame(run);
  const timer = setTimeout(run, HIDDEN_FRAME_MS);
  return cancel;
}
