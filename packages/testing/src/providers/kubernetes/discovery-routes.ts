import type { ServiceRoute } from "../http-service.ts";
import type { Permissions } from "./permissions.ts";
import { failure } from "./status.ts";
import type { ServedResources } from "./versions.ts";

const verbs = ["create", "delete", "get", "list", "patch", "watch"];

interface DiscoveryDeps {
  readonly served: ServedResources;
  readonly permissions: Permissions;
}

interface AccessReview {
  readonly spec: { readonly resourceAttributes?: Readonly<Record<string, string>> };
}

/** What everybody may ask who is signed in: what is served, and what one may do. */
export function discoveryRoutes({ served, permissions }: DiscoveryDeps): ServiceRoute[] {
  const resourceList = (group: string, version: string) => ({
    kind: "APIResourceList",
    apiVersion: "v1",
    groupVersion: group === "" ? version : `${group}/${version}`,
    resources: served
      .of(group, version)
      .map(({ plural, kind }) => ({ name: plural, singularName: kind.toLowerCase(), namespaced: true, kind, verbs })),
  });
  return [
    {
      method: "GET",
      path: "/version",
      name: "version",
      handle: (call) => call.answer(200, { major: "1", minor: "32", gitVersion: "v1.32.0" }),
    },
    {
      method: "GET",
      path: "/api",
      name: "discover",
      handle: (call) => call.answer(200, { kind: "APIVersions", versions: ["v1"] }),
    },
    {
      method: "GET",
      path: "/apis",
      name: "discover",
      handle: (call) => call.answer(200, { kind: "APIGroupList", apiVersion: "v1", groups: served.groups }),
    },
    {
      method: "GET",
      path: "/api/:version",
      name: "discover",
      handle: (call) => call.answer(200, resourceList("", call.params.version!)),
    },
    {
      method: "GET",
      path: "/apis/:group/:version",
      name: "discover",
      handle(call) {
        const list = resourceList(call.params.group!, call.params.version!);
        if (list.resources.length > 0) call.answer(200, list);
        else call.answer(404, failure(404, "the server could not find the requested resource"));
      },
    },
    {
      method: "POST",
      path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      name: "review",
      async handle(call) {
        const review = await call.json<AccessReview>();
        const { verb = "", group = "", resource = "", subresource } = review.spec.resourceAttributes ?? {};
        const named = subresource === undefined ? resource : `${resource}/${subresource}`;
        const allowed = permissions.allows({ verb, group, resource: named });
        call.answer(201, { ...review, status: { allowed } });
      },
    },
  ];
}
