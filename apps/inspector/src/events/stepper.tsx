import type { UniversalEvent } from "@sandbox-agent-ts/protocol";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { IconButton } from "../controls/button.tsx";
import "./stepper.css";

const PLAY_MS = 120;

interface StepperProps {
  /** Those that are shown; steps go from one to the next of them. */
  readonly events: readonly UniversalEvent[];
  /** The sequence of the event one is at. */
  readonly position: number;
  readonly onStep: (sequence: number | undefined) => void;
}

/** Goes through the log event by event, by hand or by itself. At the end it follows what comes. */
export function Stepper({ events, position, onStep }: StepperProps) {
  const [isPlaying, setPlaying] = useState(false);
  const at = events.findLastIndex(({ sequence }) => sequence <= position);
  const last = events.length - 1;

  const go = (index: number) => {
    const target = events[Math.max(0, Math.min(last, index))];
    if (target) onStep(target.sequence);
  };

  const latest = useRef({ at, last, go });
  latest.current = { at, last, go };
  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setInterval(() => {
      const { at: now, last: end, go: step } = latest.current;
      if (now >= end) setPlaying(false);
      else step(now + 1);
    }, PLAY_MS);
    return () => clearInterval(timer);
  }, [isPlaying]);

  const play = () => {
    if (at >= last) go(0);
    setPlaying(true);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined || (event.target instanceof HTMLInputElement && event.target.type === "range")) return;
    event.preventDefault();
    go(at + step);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows work from every button of it
    <div className="stepper" onKeyDown={onKeyDown}>
      <IconButton icon="first" label="First event" disabled={at <= 0} onClick={() => go(0)} />
      <IconButton
        icon="chevron"
        className="stepper-back"
        label="Previous event"
        disabled={at <= 0}
        onClick={() => go(at - 1)}
      />
      {isPlaying ? (
        <IconButton icon="pause" label="Pause" onClick={() => setPlaying(false)} />
      ) : (
        <IconButton icon="play" label="Play" disabled={last < 1} onClick={play} />
      )}
      <IconButton icon="chevron" label="Next event" disabled={at >= last} onClick={() => go(at + 1)} />
      <IconButton icon="last" label="Follow the newest" onClick={() => onStep(undefined)} />
      <input
        type="range"
        aria-label="Event"
        min={0}
        max={Math.max(0, last)}
        value={Math.max(0, at)}
        onChange={(event) => go(Number(event.target.value))}
      />
      <output className="stepper-count">
        {at + 1} / {events.length}
      </output>
    </div>
  );
}
