import type { UniversalEvent } from "@sandbox-agent-ts/protocol";
import { memo, useEffect, useRef } from "react";
import { VList, type VListHandle } from "virtua";
import { formatClock } from "../format/times.ts";
import { eventSummary } from "./event-summary.ts";
import "./event-list.css";

interface EventListProps {
  readonly events: readonly UniversalEvent[];
  /** Undefined: the newest, as they come. */
  readonly selected: number | undefined;
  readonly onSelect: (sequence: number) => void;
}

export function EventList({ events, selected, onSelect }: EventListProps) {
  const list = useRef<VListHandle>(null);
  const at = selected === undefined ? events.length - 1 : events.findLastIndex(({ sequence }) => sequence <= selected);
  useEffect(() => {
    if (at >= 0) list.current?.scrollToIndex(at, { align: "nearest" });
  }, [at]);
  return (
    <VList ref={list} className="event-list" data={events} aria-label="Events" tabIndex={0}>
      {(event) => (
        <EventRow key={event.sequence} event={event} isSelected={event.sequence === selected} onSelect={onSelect} />
      )}
    </VList>
  );
}

interface EventRowProps {
  readonly event: UniversalEvent;
  readonly isSelected: boolean;
  readonly onSelect: (sequence: number) => void;
}

const EventRow = memo(function EventRow({ event, isSelected, onSelect }: EventRowProps) {
  const { sequence, time, type, synthetic } = event;
  return (
    <button
      type="button"
      className="event-row"
      aria-current={isSelected ? "true" : undefined}
      onClick={() => onSelect(sequence)}
    >
      <span className="event-sequence">{sequence}</span>
      <span className="event-time">{formatClock(time)}</span>
      <span className={`event-type event-type-${type.split(".", 1)[0]}`}>{type}</span>
      <span className="event-text truncate">{eventSummary(event)}</span>
      {synthetic && (
        <span className="event-synthetic" title="Made by the daemon: the agent has no such event">
          daemon
        </span>
      )}
    </button>
  );
});
