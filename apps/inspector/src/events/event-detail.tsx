import type { UniversalEvent } from "@sandbox-agent-ts/protocol";
import { useSandboxAgent } from "@sandbox-agent-ts/react";
import { useState } from "react";
import { Button } from "../controls/button.tsx";
import { JsonView } from "../controls/json-view.tsx";
import { useAction } from "../controls/use-action.ts";
import { formatClock } from "../format/times.ts";
import "./event-detail.css";

interface EventDetailProps {
  readonly event: UniversalEvent;
  readonly sessionId: string;
}

export function EventDetail({ event, sessionId }: EventDetailProps) {
  const { sequence, type, source, synthetic, time, event_id } = event;
  const facts = [`#${sequence}`, formatClock(time), `by the ${source}${synthetic ? ", synthetic" : ""}`, event_id];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="event-detail" tabIndex={0} aria-label={`Event ${sequence}`}>
      <h2>{type}</h2>
      <p className="event-facts">{facts.join(" · ")}</p>
      <JsonView value={event.data} />
      <RawPayload sequence={sequence} sessionId={sessionId} />
    </section>
  );
}

/** What the agent itself sent, fetched when it is asked for: it may be large. */
function RawPayload({ sequence, sessionId }: { sequence: number; sessionId: string }) {
  const client = useSandboxAgent();
  const [raw, setRaw] = useState<{ value: unknown }>();
  const { run, isBusy, error } = useAction();
  const load = () =>
    run(async () => {
      const query = { offset: sequence - 1, limit: 1, includeRaw: true };
      const { events } = await client.getEvents(sessionId, query);
      setRaw({ value: events[0]?.raw ?? null });
    });
  return (
    <section className="event-raw" aria-label="Raw payload">
      {raw === undefined ? (
        <Button busy={isBusy} onClick={load}>
          Show the raw payload
        </Button>
      ) : (
        <>
          <h3>Raw payload</h3>
          {raw.value === null ? (
            <p className="event-facts">None: this event is the daemon's own.</p>
          ) : (
            <JsonView value={pretty(raw.value)} />
          )}
        </>
      )}
      {error && <p role="alert">{error}</p>}
    </section>
  );
}

/** Most agents send JSON in lines; a line that is none is shown as it came. */
function pretty(raw: unknown): unknown {
  if (typeof raw !== "string") return raw;
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
}
