import type { SessionEndedData, TranscriptError } from "@sandbox-agent-ts/protocol";
import { memo } from "react";
import { Disclosure } from "../controls/disclosure.tsx";
import { JsonView } from "../controls/json-view.tsx";
import { Notice } from "../controls/notice.tsx";
import { Output } from "./output.tsx";
import "./error-row.css";

export const ErrorRow = memo(function ErrorRow({ error: { message, code, details } }: { error: TranscriptError }) {
  return (
    <Notice title={message}>
      {code && (
        <p className="error-code">
          <code>{code}</code>
        </p>
      )}
      {details !== undefined && details !== null && (
        <Disclosure className="error-details" summary="Details">
          {() => <JsonView value={details} />}
        </Disclosure>
      )}
    </Notice>
  );
});

const endings = {
  completed: "The session is over",
  error: "The session ended with an error",
  terminated: "The session was ended",
};

export const EndedRow = memo(function EndedRow({ ended }: { ended: SessionEndedData }) {
  const { reason, terminated_by, message, exit_code, stderr } = ended;
  const by = terminated_by === "agent" ? "the agent ended it" : "its agent was stopped";
  const excerpt = [stderr?.head, stderr?.tail].filter((part) => part != null).join("\n⋯\n");
  return (
    <Notice look={reason === "error" ? "bad" : "info"} title={message ?? `${endings[reason]}: ${by}.`}>
      {exit_code != null && <p className="error-code">Exit code {exit_code}</p>}
      {excerpt !== "" && (
        <Disclosure className="error-details" summary="What the program said last">
          {() => <Output output={excerpt} />}
        </Disclosure>
      )}
    </Notice>
  );
});
