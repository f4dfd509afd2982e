import { message } from "./protobuf.ts";

/**
 * What Modal's SDK and its services say to each other, with the numbers of its `api.proto` and `task_command_router.proto`:
 * of each message only the fields that this fake reads or answers.
 */

const empty = message({});
const entry = message({ key: [1, "string"], value: [2, "string"] });
const secretSource = message({ secretId: [1, "string"], env: [2, message({ contents: [1, [entry]] })] });
const tag = message({ name: [1, "string"], value: [2, "string"] });

/** `status`: see `resultStatus`. */
const result = message({ status: [1, "int"], exception: [2, "string"], exitCode: [3, "int"] });
export const resultStatus = { success: 1, failure: 2, terminated: 3, timeout: 4 } as const;

const ofSandbox = message({ sandboxId: [1, "string"] });
const sandboxId = message({ sandboxId: [1, "string"] });
const routerAccess = message({ jwt: [1, "string"], url: [2, "string"] });
const tunnel = message({
  host: [1, "string"],
  port: [2, "int"],
  unencryptedHost: [3, "string"],
  unencryptedPort: [4, "int"],
  containerPort: [5, "int"],
});

export const authTokenGet = { request: empty, response: message({ token: [1, "string"] }) };

export const appGetOrCreate = {
  request: message({ name: [1, "string"], environment: [2, "string"], creation: [3, "int"] }),
  response: message({ appId: [1, "string"] }),
};

export const secretGetOrCreate = {
  request: message({ name: [1, "string"], environment: [3, "string"], creation: [4, "int"] }),
  response: message({ secretId: [1, "string"] }),
};

export const environmentGetOrCreate = {
  request: message({ name: [1, "string"] }),
  response: message({
    id: [1, "string"],
    metadata: [2, message({ name: [1, "string"], settings: [2, message({ imageBuilderVersion: [1, "string"] })] })],
  }),
};

export const imageGetOrCreate = {
  request: message({
    image: [
      2,
      message({
        baseImages: [5, [message({ imageId: [1, "string"], tag: [2, "string"] })]],
        dockerfileCommands: [6, ["string"]],
        registry: [17, message({ authType: [1, "int"], secretId: [2, "string"] })],
      }),
    ],
    appId: [4, "string"],
    builderVersion: [9, "string"],
  }),
  response: message({ imageId: [1, "string"], result: [2, result] }),
};

export const imageFromId = {
  request: message({ imageId: [1, "string"] }),
  response: message({ imageId: [1, "string"] }),
};

/** `kind`: see `networkAccess`. */
const network = message({ kind: [1, "int"], cidrs: [2, ["string"]], domains: [3, ["string"]] });
export const networkAccess = { open: 1, blocked: 2, allowlist: 3 } as const;

export const sandboxCreate = {
  request: message({
    appId: [1, "string"],
    definition: [
      2,
      message({
        command: [1, ["string"]],
        imageId: [3, "string"],
        resources: [
          5,
          message({
            memoryMiB: [2, "int"],
            milliCpu: [3, "int"],
            memoryLimitMiB: [5, "int"],
            milliCpuLimit: [7, "int"],
          }),
        ],
        timeoutSeconds: [7, "int"],
        workdir: [8, "string"],
        placement: [17, message({ regions: [4, ["string"]] })],
        openPorts: [20, message({ ports: [1, [message({ port: [1, "int"], unencrypted: [2, "bool"] })]] })],
        network: [22, network],
        name: [30, "string"],
        idleSeconds: [33, "int"],
      }),
    ],
    tags: [4, [tag]],
    secretSources: [6, [secretSource]],
  }),
  response: message({
    sandboxId: [1, "string"],
    tunnels: [2, [tunnel]],
    taskId: [3, "string"],
    routerAccess: [5, routerAccess],
  }),
};

export const sandboxWait = {
  request: message({ sandboxId: [1, "string"], timeout: [2, "float"] }),
  response: message({ result: [1, result] }),
};

export const sandboxTerminate = { request: ofSandbox, response: message({ existingResult: [1, result] }) };

export const sandboxGetTaskId = {
  request: ofSandbox,
  response: message({ taskId: [1, "string"], taskResult: [2, result] }),
};

export const sandboxGetTunnels = {
  request: ofSandbox,
  response: message({ result: [1, result], tunnels: [2, [tunnel]] }),
};

export const sandboxTagsGet = { request: ofSandbox, response: message({ tags: [1, [tag]] }) };

export const sandboxList = {
  request: message({
    appId: [1, "string"],
    before: [2, "double"],
    environment: [3, "string"],
    includeFinished: [4, "bool"],
    tags: [5, [tag]],
  }),
  response: message({
    sandboxes: [1, [message({ id: [1, "string"], createdAt: [3, "double"], appId: [5, "string"], tags: [6, [tag]] })]],
  }),
};

export const sandboxGetFromName = {
  request: message({
    name: [1, "string"],
    environment: [2, "string"],
    appName: [3, "string"],
    includeTerminated: [4, "bool"],
  }),
  response: sandboxId,
};

export const sandboxGetCommandRouterAccess = { request: ofSandbox, response: routerAccess };

export const sandboxCreateConnectToken = {
  request: message({ sandboxId: [1, "string"], userMetadata: [2, "string"], port: [3, "int"] }),
  response: message({ url: [1, "string"], token: [2, "string"] }),
};

const exec = { taskId: [1, "string"], execId: [2, "string"] } as const;
const exit = message({ code: [1, "int"], signal: [2, "int"] });

export const taskExecStart = {
  request: message({
    ...exec,
    command: [3, ["string"]],
    /** 0: thrown away; 1: kept until it is read. */
    stdout: [4, "int"],
    stderr: [5, "int"],
    timeoutSeconds: [6, "int"],
    workdir: [7, "string"],
    secretSources: [13, [secretSource]],
  }),
  response: empty,
};

export const taskExecStdioRead = {
  /** `file`: 0 is standard output, 1 standard error. */
  request: message({ ...exec, offset: [3, "int"], file: [4, "int"] }),
  response: message({ data: [1, "bytes"] }),
};

export const taskExecWait = { request: message(exec), response: exit };

export const taskExecPoll = { request: message(exec), response: exit };

export const taskExecStdinWrite = {
  request: message({ ...exec, offset: [3, "int"], data: [4, "bytes"], eof: [5, "bool"] }),
  response: empty,
};

export const taskExecStdinWriteStream = {
  request: message({ start: [1, message({ ...exec, offset: [3, "int"] })], data: [2, "bytes"], end: [3, empty] }),
  response: empty,
};

export const taskExecStdinStatus = {
  request: message(exec),
  response: message({ written: [1, "int"], closed: [2, "bool"] }),
};

/** In the trailer `grpc-status-details-bin`: how long to wait before the call is made again. */
export const status = message({
  code: [1, "int"],
  message: [2, "string"],
  details: [3, [message({ typeUrl: [1, "string"], value: [2, "bytes"] })]],
});
export const retryPolicy = message({ retryAfterSeconds: [1, "float"] });
