import { GrpcError, type GrpcMethod, methodsOf } from "./grpc-server.ts";
import * as messages from "./messages.ts";
import { type ModalSandbox, sandboxOf } from "./modal-sandbox.ts";
import type { ModalSandboxes } from "./modal-sandboxes.ts";
import type { ServiceAccess } from "./service-access.ts";

interface TaskCall {
  readonly headers: { readonly authorization?: string | undefined };
  readonly message: { readonly taskId: string };
}

interface ExecCall extends TaskCall {
  readonly message: { readonly taskId: string; readonly execId: string };
}

/** `modal.task_command_router.TaskCommandRouter`: commands in sandboxes, as far as the SDK's `exec` and `writeBytes` use it. */
export function commandRouter(sandboxes: ModalSandboxes, access: ServiceAccess): readonly GrpcMethod[] {
  const method = methodsOf("modal.task_command_router.TaskCommandRouter");
  const sandboxFor = ({ headers, message: { taskId } }: TaskCall): ModalSandbox => {
    access.checkTask(headers.authorization, taskId);
    const sandbox = sandboxes.find(sandboxOf(taskId));
    if (sandbox.result) throw new GrpcError("notFound", `There is no task ${taskId} any more.`);
    return sandbox;
  };
  const execFor = (call: ExecCall) => sandboxFor(call).execs.find(call.message.execId);

  return [
    method("TaskExecStart", "run", messages.taskExecStart, async (call) => {
      const { box, execs } = sandboxFor(call);
      await execs.start(box, call.message);
      return {};
    }),
    method("TaskExecStdioRead", "read", messages.taskExecStdioRead, async function* (call) {
      const exec = await execFor(call);
      const { offset, file } = call.message;
      for await (const data of (file === 0 ? exec.stdout : exec.stderr).from(offset)) yield { data };
    }),
    method("TaskExecWait", "wait", messages.taskExecWait, async (call) => (await execFor(call)).exited),
    method("TaskExecPoll", "poll", messages.taskExecPoll, async (call) => {
      const exec = await execFor(call);
      return exec.hasExited ? exec.exited : {};
    }),
    method("TaskExecStdinWrite", "write", messages.taskExecStdinWrite, async (call) => {
      const exec = await execFor(call);
      const { offset, data, eof } = call.message;
      exec.write(offset, data);
      if (eof) exec.closeStdin();
      return {};
    }),
    method(
      "TaskExecStdinWriteStream",
      "write",
      messages.taskExecStdinWriteStream,
      async ({ headers, message, rest }) => {
        const { start } = message;
        if (start === undefined) throw new GrpcError("invalidArgument", "The first message says where it begins.");
        const exec = await execFor({ headers, message: start });
        let { offset } = start;
        for await (const { data, end } of rest) {
          exec.write(offset, data);
          offset += data.length;
          if (end) exec.closeStdin();
        }
        return {};
      },
    ),
    method("TaskExecStdinStatus", "write", messages.taskExecStdinStatus, async (call) => {
      const { stdinBytes: written, isStdinClosed: closed } = await execFor(call);
      return { written, closed };
    }),
  ];
}
