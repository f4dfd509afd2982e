/**
 * A session's log as it is kept, for who keeps it too: asked for in `Accept` in the place of server-sent events. Records follow
 * upon each other, each a line `<first> <count> <bytes of lines> <bytes of payloads>` with as many bytes behind it: the
 * events, one line of JSON each, then the agents' own payloads, a line `{"sequence":N,"raw":…}` for each event that has one and
 * does not have it in itself. An event that is very long comes in several records; in all but the last of them none ends, so
 * that their count is 0. Between records may be empty lines, one at least every 15 seconds.
 */
export const eventRecordsType = "application/vnd.sandbox-agent.events";
