import type { UniversalEvent } from "@sandbox-agent-ts/protocol";
import { useEvents } from "@sandbox-agent-ts/react";
import { useMemo, useState } from "react";
import { EventDetail } from "./event-detail.tsx";
import { EventFilter } from "./event-filter.tsx";
import { EventList } from "./event-list.tsx";
import { ReplayedTranscript } from "./replayed-transcript.tsx";
import { Stepper } from "./stepper.tsx";
import "./events-page.css";

type Pane = "event" | "transcript";

/** The log itself, event by event, and the session as it was at each of them. */
export function EventsPage({ sessionId }: { sessionId: string }) {
  const events = useEvents(sessionId);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [selected, setSelected] = useState<number>();
  const [pane, setPane] = useState<Pane>("event");
  const shown = useMemo(() => events.filter(({ type }) => !hidden.has(type)), [events, hidden]);
  const position = selected ?? events.at(-1)?.sequence ?? 0;
  const event = events[position - 1];
  return (
    <div className="events-page">
      <EventFilter events={events} hidden={hidden} onChange={setHidden} />
      <Stepper events={shown} position={position} onStep={setSelected} />
      <div className="events-panes">
        <EventList events={shown} selected={selected} onSelect={setSelected} />
        <section className="events-pane" aria-label="At this event">
          <PaneTabs pane={pane} onChange={setPane} />
          {pane === "event" ? (
            <DetailOrHint event={event} sessionId={sessionId} />
          ) : (
            <ReplayedTranscript events={events} sequence={position} />
          )}
        </section>
      </div>
    </div>
  );
}

function DetailOrHint({ event, sessionId }: { event: UniversalEvent | undefined; sessionId: string }) {
  if (!event) return <p className="events-hint">Nothing has happened yet.</p>;
  return <EventDetail key={event.sequence} event={event} sessionId={sessionId} />;
}

const panes: readonly { pane: Pane; name: string }[] = [
  { pane: "event", name: "Event" },
  { pane: "transcript", name: "Conversation up to here" },
];

function PaneTabs({ pane, onChange }: { pane: Pane; onChange: (pane: Pane) => void }) {
  return (
    <div className="events-tabs">
      {panes.map(({ pane: target, name }) => (
        <button key={target} type="button" aria-pressed={pane === target} onClick={() => onChange(target)}>
          {name}
        </button>
      ))}
    </div>
  );
}
