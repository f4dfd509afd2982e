import type * as api from "./api-types.ts";
import type { Http, RequestBody } from "./http/http.ts";

const BYTES = "application/octet-stream";

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

  /** Unpack a tar archive into a directory. */
  uploadFsBatch(body: RequestBody, query?: api.FsOptionalPathQuery): Promise<api.FsUploadBatchResponse> {
    return this.#upload("POST", "/v1/fs/upload-batch", query, body, "application/x-tar");
  }

  #upload<T>(
    method: "PUT" | "POST",
    pathname: string,
    query: api.FsOptionalPathQuery | undefined,
    body: RequestBody,
    contentType: string,
  ): Promise<T> {
    return this.#http.json({ method, path: pathname, query, body, contentType, timeoutMs: null });
  }
}
