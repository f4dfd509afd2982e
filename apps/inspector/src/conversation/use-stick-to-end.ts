import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

/** This close to the end counts as there. */
const AT_END_PX = 32;
/** This far from it, a way back is offered. */
const AWAY_PX = 240;

interface StickToEnd {
  /** Is the reader far enough from the end to need a way back? */
  readonly isAway: boolean;
  readonly goToEnd: () => void;
  /** Stay where the reader is, e.g. because something was opened. */
  readonly letGo: () => void;
}

/**
 * Keeps a list that grows at its end, until the reader scrolls up, and again when the reader is back at the end. Sizes
 * are followed before anything is painted, so that nothing jumps; and not while the pointer is down: a button that moved
 * away from under it would not be clicked.
 */
export function useStickToEnd(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
): StickToEnd {
  const isStuck = useRef(true);
  const [isAway, setAway] = useState(false);

  const goToEnd = useCallback(() => {
    isStuck.current = true;
    if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  }, [scroller]);

  useEffect(() => {
    const element = scroller.current;
    const inside = content.current;
    if (!element || !inside) return undefined;
    let last = element.scrollTop;
    let isPressed = false;
    const restBelow = (): number => element.scrollHeight - element.scrollTop - element.clientHeight;
    const follow = () => {
      if (!isStuck.current) setAway(restBelow() > AWAY_PX);
      else if (!isPressed) element.scrollTop = element.scrollHeight;
    };
    const sizes = new ResizeObserver(follow);
    const press = () => {
      isPressed = true;
    };
    // The click that belongs to it comes first, and may let go.
    const release = () => {
      if (isPressed) requestAnimationFrame(follow);
      isPressed = false;
    };
    const onScroll = () => {
      const rest = restBelow();
      if (rest < AT_END_PX) isStuck.current = true;
      else if (element.scrollTop < last) isStuck.current = false;
      last = element.scrollTop;
      setAway(rest > AWAY_PX);
    };
    sizes.observe(inside);
    sizes.observe(element);
    const listening = new AbortController();
    const { signal } = listening;
    element.addEventListener("scroll", onScroll, { passive: true, signal });
    inside.addEventListener("pointerdown", press, { signal });
    for (const end of ["pointerup", "pointercancel"]) window.addEventListener(end, release, { signal });
    return () => {
      sizes.disconnect();
      listening.abort();
    };
  }, [scroller, content]);

  const letGo = useCallback(() => {
    isStuck.current = false;
  }, []);
  return { isAway, goToEnd, letGo };
}
