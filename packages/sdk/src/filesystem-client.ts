import type * as api from "./api-types.ts";
import type { Http, RequestBody } from "./http/http.ts";
import { fileChangeSource } from "./stream/file-change-source.ts";
import { follow, type ReconnectOptions } from "./stream/follow-events.ts";
import { readManifest } from "./stream/read-manifest.ts";

const BYTES = "application/octet-stream";
const TAR = "application/x-tar";
const NDJSON = "application/x-ndjson";
const SSE = "text/event-stream";

/** The operations on files of the machine that the daemon runs on. Relative paths start from the session's directory. */
export class FilesystemClient {
  readonly #http: Http;

  protected constructor(http: Http) {
    this.#http = http;
  }

  /** List a directory. */
  listFsEntries(query?: api.FsOptionalPathQuery): Promise<api.FsEntry[]> {
    return this.#http.json({ method: "GET", path: "/v1/fs/entries", query });
  }

  /** Read a whole file. */
  readFsFile(query: api.FsPathQuery): Promise<Uint8Array> {
    return this.#http.bytes({ method: "GET", path: "/v1/fs/file", query, accept: BYTES, timeoutMs: null });
  }

  /** A file of any size, read as it is asked for. The signal ends it, with its reason. */
  streamFsFile(query: api.FsPathQuery, signal?: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    return this.#http.byteStream({ method: "GET", path: "/v1/fs/file", query, accept: BYTES, signal });
  }

  /** Write a file; a stream as body is sent as it comes, whatever its size. */
  writeFsFile(query: api.FsPathQuery, body: RequestBody): Promise<api.FsWriteResponse> {
    return this.#upload("PUT", "/v1/fs/file", query, body, BYTES);
  }

  /** Delete a file or directory. */
  deleteFsEntry(query: api.FsDeleteQuery): Promise<api.FsActionResponse> {
    return this.#http.json({ method: "DELETE", path: "/v1/fs/entry", query });
  }

  /** Create a directory and its parents. */
  mkdirFs(query: api.FsPathQuery): Promise<api.FsActionResponse> {
    return this.#http.json({ method: "POST", path: "/v1/fs/mkdir", query });
  }

  /** Move or rename a file or directory. */
  moveFs(request: api.FsMoveRequest, query?: api.FsSessionQuery): Promise<api.FsMoveResponse> {
    return this.#http.json({ method: "POST", path: "/v1/fs/move", query, json: request });
  }

  /** What is at a path: kind, size and time of change. */
  statFs(query: api.FsPathQuery): Promise<api.FsStat> {
    return this.#http.json({ method: "GET", path: "/v1/fs/stat", query });
  }

  /** Unpack a tar archive into a directory; with `exact` also its symlinks, directories' permissions and times. */
  uploadFsBatch(body: RequestBody, query?: api.FsUploadQuery): Promise<api.FsUploadBatchResponse> {
    return this.#upload("POST", "/v1/fs/upload-batch", query, body, TAR);
  }

  /** Delete many files and directories, with all that is in them. */
  deleteFsBatch(
    request: api.FsDeleteBatchRequest,
    query?: api.FsOptionalPathQuery,
  ): Promise<api.FsDeleteBatchResponse> {
    return this.#http.json({ method: "POST", path: "/v1/fs/delete-batch", query, json: request, timeoutMs: null });
  }

  /** The raw response; `streamFsManifest` reads it. */
  getFsManifest(query?: api.FsManifestQuery, signal?: AbortSignal): Promise<Response> {
    return this.#http.stream({ method: "GET", path: "/v1/fs/manifest", query, accept: NDJSON, signal });
  }

  /** All that is in a directory, with hashes; then what was left out and why, and sums. Throws where it is cut off. */
  async *streamFsManifest(
    query?: api.FsManifestQuery,
    signal?: AbortSignal,
  ): AsyncGenerator<api.FsManifestLine, void, undefined> {
    yield* readManifest(await this.getFsManifest(query, signal));
  }

  /** A tar archive of chosen paths, or of all that the manifest lists, as it is asked for. */
  packFs(
    request: api.FsTarRequest = {},
    query?: api.FsManifestQuery,
    signal?: AbortSignal,
  ): Promise<ReadableStream<Uint8Array>> {
    return this.#http.byteStream({ method: "POST", path: "/v1/fs/tar", query, json: request, accept: TAR, signal });
  }

  /** The raw response; `streamFsChanges` reads it. */
  getFsChangesSse(query?: api.FsOptionalPathQuery, signal?: AbortSignal): Promise<Response> {
    return this.#http.stream({ method: "GET", path: "/v1/fs/changes/sse", query, accept: SSE, signal });
  }

  /**
   * What is created, modified and deleted in a directory, until the signal fires. After each `ready` but the first, which
   * follow lost connections, and after each `overflow` something may have been missed: compare manifests.
   */
  streamFsChanges(
    query?: api.FsOptionalPathQuery,
    signal?: AbortSignal,
    reconnect?: ReconnectOptions,
  ): AsyncGenerator<api.FsChange, void, undefined> {
    return follow(
      fileChangeSource((inner) => this.getFsChangesSse(query, inner)),
      signal,
      reconnect,
    );
  }

  #upload<T>(
    method: "PUT" | "POST",
    pathname: string,
    query: api.FsUploadQuery | undefined,
    body: RequestBody,
    contentType: string,
  ): Promise<T> {
    return this.#http.json({ method, path: pathname, query, body, contentType, timeoutMs: null });
  }
}
