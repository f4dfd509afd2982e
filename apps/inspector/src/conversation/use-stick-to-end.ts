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
 * are followed before anything is painted, so that nothing jumps.
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
    if (!element || !content.current) return undefined;
    let last = element.scrollTop;
    const restBelow = (): number => element.scrollHeight - element.scrollTop - element.clientHeight;
    const follow = new ResizeObserver(() => {
      if (isStuck.current) element.scrollTop = element.scrollHeight;
      else setAway(restBelow() > AWAY_PX);
    });
    const onScroll = () => {
      const rest = restBelow();
      if (rest < AT_END_PX) isStuck.current = true;
      else if (element.scrollTop < last) isStuck.current = false;
      last = element.scrollTop;
      setAway(rest > AWAY_PX);
    };
    follow.observe(content.current);
    follow.observe(element);
    element.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      follow.disconnect();
      element.removeEventListener("scroll", onScroll);
    };
  }, [scroller, content]);

  const letGo = useCallback(() => {
    isStuck.current = false;
  }, []);
  return { isAway, goToEnd, letGo };
}
