import type { UniversalEvent } from "@sandbox-agent-ts/protocol";
import { useState } from "react";
import { Conversation } from "../conversation/conversation.tsx";
import { Replay } from "./replay.ts";

interface ReplayedTranscriptProps {
  readonly events: readonly UniversalEvent[];
  readonly sequence: number;
}

/** The conversation as it was after an event. */
export function ReplayedTranscript({ events, sequence }: ReplayedTranscriptProps) {
  const [replay] = useState(() => new Replay());
  return (
    <Conversation
      isLive={false}
      transcript={replay.at(events, sequence)}
      empty={<p className="events-hint">Nothing has been said yet at this event.</p>}
    />
  );
}
