import { memo } from "react";
import { CopyButton } from "../controls/copy-button.tsx";
import { Disclosure } from "../controls/disclosure.tsx";
import { JsonView } from "../controls/json-view.tsx";
import { formatClock, formatDuration } from "../format/times.ts";
import { curlCommand } from "./curl-command.ts";
import type { LoggedRequest } from "./request-log.ts";

interface RequestRowProps {
  readonly request: LoggedRequest;
  readonly withToken: boolean;
}

export const RequestRow = memo(function RequestRow({ request, withToken }: RequestRowProps) {
  const { method, url, status, durationMs, startedAt, repeats, error } = request;
  const { pathname, search } = new URL(url);
  const isBad = error !== undefined || (status !== undefined && status >= 400);
  return (
    <div className="request-row">
      <Disclosure
        className="request-row-line"
        summary={
          <>
            <span className="request-time">{formatClock(startedAt)}</span>
            <span className={`request-method request-${method.toLowerCase()}`}>{method}</span>
            <span className="request-path truncate">
              {pathname}
              <span>{search}</span>
            </span>
            {repeats > 1 && <span className="request-repeats">×{repeats}</span>}
            <span className={isBad ? "request-status request-bad" : "request-status"}>
              {status ?? (error === undefined ? "…" : "failed")}
            </span>
            <span className="request-duration">{durationMs === undefined ? "" : formatDuration(durationMs)}</span>
          </>
        }
      >
        {() => <Detail request={request} command={curlCommand(request, { withToken })} />}
      </Disclosure>
      <CopyButton text={() => curlCommand(request, { withToken })} label={`Copy ${method} ${pathname} as curl`}>
        curl
      </CopyButton>
    </div>
  );
});

function Detail({ request: { body, error }, command }: { request: LoggedRequest; command: string }) {
  return (
    <div className="request-detail">
      {error && <p className="request-bad">{error}</p>}
      <pre>
        <code>{command}</code>
      </pre>
      {body !== undefined && body !== "binary" && <JsonView value={parsed(body.text)} />}
    </div>
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
