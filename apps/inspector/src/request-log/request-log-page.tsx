import { useState } from "react";
import { Button } from "../controls/button.tsx";
import { Page } from "../shell/page.tsx";
import { useRequestLog } from "./request-log-context.ts";
import { RequestRow } from "./request-row.tsx";
import "./request-log-page.css";

/** Every call this page made, to look at and to make again in a shell. */
export function RequestLogPage() {
  const { requests, clear } = useRequestLog();
  const [search, setSearch] = useState("");
  const [withToken, setWithToken] = useState(false);
  const words = search.toLowerCase().split(/\s+/);
  const shown = requests
    .filter(({ method, url, status }) =>
      words.every((word) => `${method} ${url} ${status}`.toLowerCase().includes(word)),
    )
    .toReversed();
  return (
    <Page
      title="Request log"
      intro="Every HTTP call of this page, newest first. Copy one as a curl command to repeat it in a shell."
      actions={
        <>
          <label className="request-log-token">
            <input type="checkbox" checked={withToken} onChange={(event) => setWithToken(event.target.checked)} />
            Token in copied commands
          </label>
          <Button onClick={clear}>Clear</Button>
        </>
      }
    >
      <input
        className="input request-log-search"
        type="search"
        aria-label="Filter calls"
        placeholder="Filter by method, path or status"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      <section className="request-log" aria-label="Calls">
        {shown.map((request) => (
          <RequestRow key={request.id} request={request} withToken={withToken} />
        ))}
        {shown.length === 0 && <p className="request-log-none">Nothing here.</p>}
      </section>
    </Page>
  );
}
