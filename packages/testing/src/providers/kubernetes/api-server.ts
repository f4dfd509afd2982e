import type { IncomingMessage, ServerResponse } from "node:http";
import { ServerResponse as Answer } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { FaultWords } from "../faults.ts";
import { HttpService, type ServiceCall, type ServiceRoute } from "../http-service.ts";
import type { ServiceRequest } from "../provider-service.ts";
import { discoveryRoutes } from "./discovery-routes.ts";
import type { KubeObject, Plural } from "./kube-object.ts";
import { timestamp } from "./kube-object.ts";
import type { Kubelet } from "./kubelet.ts";
import type { ObjectStore } from "./object-store.ts";
import { patched } from "./patch.ts";
import type { Permissions } from "./permissions.ts";
import type { PodStreams } from "./pod-streams.ts";
import { matchesFields, matchesLabels } from "./selectors.ts";
import { failure, Refusal } from "./status.ts";
import { keptAs, type ServedResources, shownAs } from "./versions.ts";
import type { Watches } from "./watches.ts";

const defaultGraceSeconds = 30;

export interface ApiServerDeps {
  readonly store: ObjectStore;
  readonly kubelet: Kubelet;
  readonly permissions: Permissions;
  readonly served: ServedResources;
  readonly streams: PodStreams;
  readonly watches: Watches;
  isToken(token: string): boolean;
  readonly onRequest?: ((request: ServiceRequest) => void) | undefined;
}

/** The API: REST on objects with Status objects for refusals, watches, and WebSockets into pods. */
export class ApiServer {
  readonly http: HttpService;
  readonly #deps: ApiServerDeps;

  constructor(deps: ApiServerDeps) {
    this.#deps = deps;
    this.http = new HttpService({
      routes: [...discoveryRoutes(deps), ...this.#routes()],
      words,
      secretHeaders: ["authorization"],
      isAuthorized: (request) => this.#isAuthorized(request),
      onUpgrade: (request, socket, head) => this.#upgrade(request, socket, head),
      onRequest: deps.onRequest,
    });
  }

  /** Ends it as the API does: a pod has time to end, a volume waits for its pod. */
  remove(plural: Plural, object: KubeObject, graceSeconds?: number): void {
    const { namespace = "", name } = object.metadata;
    const isAtOnce = plural === "pods" ? graceSeconds === 0 : plural !== "persistentvolumeclaims";
    if (isAtOnce) {
      this.#deps.store.remove(plural, namespace, name);
      return;
    }
    const seconds = graceSeconds ?? object.spec.terminationGracePeriodSeconds ?? defaultGraceSeconds;
    this.#deps.store.update(plural, namespace, name, ({ metadata }) => {
      metadata.deletionTimestamp ??= timestamp();
      if (plural === "pods") metadata.deletionGracePeriodSeconds = seconds;
    });
  }

  #routes(): ServiceRoute[] {
    return ["/api/:version", "/apis/:group/:version"].flatMap((base) => {
      const all = `${base}/namespaces/:namespace/:plural`;
      const one = `${all}/:id`;
      const route = (
        method: string,
        path: string,
        name: string,
        handle: (call: ServiceCall) => void | Promise<void>,
      ) => ({
        method,
        path,
        name,
        handle: (call: ServiceCall) => this.#answering(call, handle),
      });
      return [
        route("POST", all, "create", (call) => this.#create(call)),
        route("GET", all, "list", (call) => this.#list(call)),
        route("GET", one, "get", (call) => this.#get(call)),
        route("PATCH", one, "update", (call) => this.#patch(call)),
        route("DELETE", one, "destroy", (call) => this.#destroy(call)),
      ];
    });
  }

  async #answering(call: ServiceCall, handle: (call: ServiceCall) => void | Promise<void>): Promise<void> {
    try {
      await handle(call);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      call.answer(error.status.code ?? 500, error.status);
    }
  }

  async #create(call: ServiceCall): Promise<void> {
    const { plural, namespace, group, version } = this.#place(call, "create");
    const given = keptAs(await call.json<KubeObject & Record<string, unknown>>(), group, version);
    const status = plural === "pods" ? { phase: "Pending" } : undefined;
    const { status: _, ...object } = given;
    const created = this.#deps.store.create(plural, namespace, { ...object, ...(status ? { status } : {}) });
    call.answer(201, shownAs(created, group, version));
  }

  #get(call: ServiceCall): void {
    const { plural, namespace, group, version } = this.#place(call, "get");
    call.answer(200, shownAs(this.#deps.store.get(plural, namespace, call.params.id!), group, version));
  }

  #list(call: ServiceCall): void {
    const { query, response } = call;
    const isWatch = /^(1|true)$/.test(query.get("watch") ?? "");
    const { plural, namespace, group, version, kind } = this.#place(call, isWatch ? "watch" : "list");
    const { store, watches } = this.#deps;
    const isMeant = (object: KubeObject) =>
      matchesLabels(object, query.get("labelSelector") ?? "") &&
      (query.get("fieldSelector") === null || matchesFields(object, query.get("fieldSelector")!));
    const shown = (object: KubeObject) => shownAs(object, group, version);
    if (isWatch) {
      const since = { version: query.get("resourceVersion"), seconds: query.get("timeoutSeconds") };
      return void watches.serve(response, { plural, namespace, ...since, isMeant, shown });
    }
    const limit = Number(query.get("limit") ?? 0);
    const from = Number(query.get("continue") ?? 0);
    const found = store.list(plural, namespace).filter(isMeant).map(shown);
    const items = limit > 0 ? found.slice(from, from + limit) : found;
    const isMore = limit > 0 && from + limit < found.length;
    const metadata = { resourceVersion: String(store.version), ...(isMore ? { continue: String(from + limit) } : {}) };
    call.answer(200, {
      kind: `${kind}List`,
      apiVersion: group === "" ? version : `${group}/${version}`,
      metadata,
      items,
    });
  }

  async #patch(call: ServiceCall): Promise<void> {
    const { plural, namespace, group, version } = this.#place(call, "patch");
    const patch = await call.json<unknown>();
    const { store } = this.#deps;
    const current = store.get(plural, namespace, call.params.id!);
    const type = call.request.headers["content-type"] ?? "";
    const changed = keptAs(patched(shownAs(current, group, version), type, patch), group, version);
    checkChange(current, changed);
    const after = store.update(plural, namespace, call.params.id!, () => changed)!;
    call.answer(200, shownAs(after, group, version));
  }

  async #destroy(call: ServiceCall): Promise<void> {
    const { plural, namespace, group, version } = this.#place(call, "delete");
    const { store } = this.#deps;
    const object = store.get(plural, namespace, call.params.id!);
    const options = await call.json<{ gracePeriodSeconds?: number; preconditions?: { uid?: string } }>();
    const inQuery = call.query.get("gracePeriodSeconds");
    if (options.preconditions?.uid !== undefined && options.preconditions.uid !== object.metadata.uid)
      throw new Refusal(
        409,
        `the UID in the precondition does not match the UID in record: ${object.metadata.uid}`,
        "Conflict",
      );
    this.remove(plural, object, inQuery === null ? options.gracePeriodSeconds : Number(inQuery));
    const left = store.find(plural, namespace, call.params.id!);
    call.answer(
      200,
      left ? shownAs(left, group, version) : { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" },
    );
  }

  /** What a path names; refused where the API does not serve it or the account may not. */
  #place({ params }: Pick<ServiceCall, "params">, verb: string) {
    const { group = "", version = "", plural = "", namespace = "" } = params;
    const found = this.#deps.served.find(group, version, plural);
    if (found === undefined) throw new Refusal(404, "the server could not find the requested resource");
    this.#check(verb, group, plural, namespace);
    return { group, version, namespace, plural: found.plural, kind: found.kind };
  }

  #check(verb: string, group: string, resource: string, namespace: string): void {
    if (this.#deps.permissions.use({ verb, group, resource })) return;
    const message = `${resource} is forbidden: User "runtime" cannot ${verb} resource "${resource}" in API group "${group}" in the namespace "${namespace}"`;
    throw new Refusal(403, message);
  }

  /** For faults a command is `run`, or `write` where it has a standard input; a connection to a port is `port`. */
  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const response = new Answer(request);
    response.assignSocket(socket as Socket);
    socket.on("error", () => {});
    // Of what is refused nobody else closes the connection.
    response.once("finish", () => socket.destroy());
    const url = new URL(request.url!, "http://service");
    const match = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)\/(exec|portforward)$/.exec(url.pathname);
    if (!match) return void words.refused(response, 404, "the server could not find the requested resource");
    const [, namespace = "", name = "", subresource = ""] = match;
    const call = subresource === "exec" ? (url.searchParams.get("stdin") === "true" ? "write" : "run") : "port";
    const fault = this.http.faults.next({ name: call, id: name, request });
    this.#record(request);
    if (this.http.faults.apply(fault, response, words)) return;
    if (!this.#isAuthorized(request)) return void words.unauthorized(response);
    try {
      // A WebSocket is a GET; since 1.35 the API wants to see the right to create, too.
      for (const verb of ["get", "create"]) this.#check(verb, "", `pods/${subresource}`, namespace);
      const pod = this.#deps.store.get("pods", namespace, name);
      const box = this.#deps.kubelet.boxOf(pod);
      if (box === undefined || pod.status?.phase !== "Running")
        throw new Refusal(
          400,
          `cannot exec into a container in a pod that does not run; current phase is ${pod.status?.phase}`,
        );
      response.detachSocket(socket as Socket);
      if (subresource === "exec") this.#deps.streams.exec(request, socket, head, box, fault !== undefined);
      else this.#deps.streams.forward(request, socket, head, box);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      answer(response, error.status.code ?? 500, error.status);
    }
  }

  #record({ method = "GET", url = "", headers }: IncomingMessage): void {
    const shown = Object.entries(headers).map(([name, value]) => [
      name,
      name === "authorization" ? "(hidden)" : String(value),
    ]);
    const recorded = { method, path: url, headers: Object.fromEntries(shown) as Record<string, string>, body: "" };
    this.http.requests.push(recorded);
    this.#deps.onRequest?.(recorded);
  }

  #isAuthorized({ headers }: IncomingMessage): boolean {
    const [, token = ""] = /^Bearer (.+)$/.exec(headers.authorization ?? "") ?? [];
    return this.#deps.isToken(token);
  }
}

/** What the API does not let anybody change. */
function checkChange(before: KubeObject, after: KubeObject): void {
  if (before.kind !== "Pod") return;
  if (JSON.stringify(before.spec) !== JSON.stringify(after.spec))
    throw new Refusal(
      422,
      `Pod "${before.metadata.name}" is invalid: spec: Forbidden: pod updates may not change fields`,
    );
}

function answer(response: ServerResponse, code: number, body: unknown): void {
  response.writeHead(code, { "content-type": "application/json", connection: "close" }).end(JSON.stringify(body));
}

const words: FaultWords = {
  unauthorized: (response) => answer(response, 401, failure(401, "Unauthorized")),
  refused: (response, status, message) => answer(response, status, failure(status, message)),
};
