import type { UniversalEvent } from "@sandbox-agent-ts/protocol";
import { useMemo } from "react";
import { formatCount } from "../format/numbers.ts";
import "./event-filter.css";

interface EventFilterProps {
  readonly events: readonly UniversalEvent[];
  readonly hidden: ReadonlySet<string>;
  readonly onChange: (hidden: ReadonlySet<string>) => void;
}

/** One switch for each type there is in this log. */
export function EventFilter({ events, hidden, onChange }: EventFilterProps) {
  const counts = useMemo(() => countTypes(events), [events]);
  const toggle = (type: string) => {
    const next = new Set(hidden);
    if (!next.delete(type)) next.add(type);
    onChange(next);
  };
  return (
    <fieldset className="event-filter">
      <legend className="visually-hidden">Show events of type</legend>
      {[...counts].map(([type, count]) => (
        <button key={type} type="button" aria-pressed={!hidden.has(type)} onClick={() => toggle(type)}>
          {type} <span>{formatCount(count)}</span>
        </button>
      ))}
      {hidden.size > 0 && (
        <button type="button" className="event-filter-all" onClick={() => onChange(new Set())}>
          Show all
        </button>
      )}
    </fieldset>
  );
}

function countTypes(events: readonly UniversalEvent[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { type } of events) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}
