import type { CapabilityName } from "@sandbox-agent-ts/protocol";

export interface Feature {
  /** What the agent does; the title of its test and its line in the feature matrix. */
  readonly title: string;
  readonly group: FeatureGroup;
  /** The agent claims a capability exactly when it shows one of the features that prove it. */
  readonly proves: readonly CapabilityName[];
}

type FeatureGroup = "Turns" | "Tools" | "Requests" | "Input" | "Stopping" | "Sessions" | "Profiles" | "Failures";

/** What an agent can be asked to show: one test each, and one line each in the feature matrix. */
export const features = {
  text: feature("Turns", "answers with text", "textMessages"),
  deltas: feature("Turns", "streams its text in pieces", "streamingDeltas"),
  reasoning: feature("Turns", "shows its reasoning", "reasoning"),
  memory: feature("Turns", "remembers the turns before"),
  unicode: feature("Turns", "keeps every character whole, wherever the pieces are cut"),
  usage: feature("Turns", "counts the tokens of a turn"),
  usageOfSeveral: feature("Turns", "counts the tokens of a turn in which it asks its model several times"),
  status: feature("Turns", "tells its status, e.g. what it has still to do", "status"),

  toolCall: feature("Tools", "calls a tool and gets its result", "toolCalls", "toolResults"),
  parallelTools: feature("Tools", "calls several tools at once and gets all their results"),
  command: feature("Tools", "runs a command and shows its output", "commandExecution"),
  failedCommand: feature("Tools", "shows that a command failed"),
  killedCommand: feature("Tools", "shows that a command failed which was killed by a signal"),
  longOutput: feature("Tools", "shows the beginning or the end of an output of 2 MB"),
  hugeOutput: feature("Tools", "survives an output of 20 MB"),
  fileWrite: feature("Tools", "writes a file and refers to it", "fileChanges"),
  fileEdit: feature("Tools", "edits a file and shows the diff", "fileChanges"),
  image: feature("Tools", "shows an image", "images"),
  subagent: feature("Tools", "puts a subagent's items under the call that started it"),
  mcpTool: feature("Tools", "calls a tool of an MCP server of the session", "mcpTools"),
  mcpFailure: feature("Tools", "tells that an MCP server of the session cannot be started"),
  skill: feature("Tools", "knows the skills of the session"),

  permissionOnce: feature("Requests", "asks for permission, and the next time again after `once`", "permissions"),
  permissionAlways: feature(
    "Requests",
    "asks for permission, and after `always` no more for the same, but for everything else",
    "permissions",
  ),
  alwaysOnlyThat: feature(
    "Requests",
    "asks for everything else after `always` for a command full of brackets, commas and quotes, also after a restart",
  ),
  permissionReject: feature("Requests", "asks for permission, and leaves it after `reject`", "permissions"),
  permissionReason: feature("Requests", "tells its model why a person rejected what it asked for"),
  permissionAlwaysFile: feature(
    "Requests",
    "asks before it writes a file, also after `always` for another of a similar path",
  ),
  permissionRemembered: feature("Requests", "tells what an earlier `always` lets pass"),
  permissionEdit: feature("Requests", "asks before it edits a file, and tells the file and the diff"),
  permissionDelete: feature("Requests", "asks before it deletes a file, and tells the file"),
  permissionMove: feature("Requests", "asks before it moves a file, and tells both paths"),
  permissionExecute: feature("Requests", "asks before it runs a command, and tells the command and its directory"),
  permissionFetch: feature("Requests", "asks before it fetches a web page, and tells the address"),
  permissionMcp: feature("Requests", "asks before it calls a tool of an MCP server, and tells the tool and the server"),
  policyRead: feature("Requests", "asks before it reads a file when the session has a policy"),
  policyMcp: feature(
    "Requests",
    "asks before it calls a tool of an MCP server that calls itself read-only when the session has a policy",
  ),
  subagentAsks: feature("Requests", "lets no subagent do what nobody has allowed"),
  acceptEdits: feature("Requests", "edits files without asking in permission mode `acceptEdits`"),
  acceptEditsOutside: feature(
    "Requests",
    "edits nothing outside of the session's directory unasked in permission mode `acceptEdits`, also not through links",
  ),
  bypass: feature("Requests", "asks for nothing in permission mode `bypass`"),
  questionAnswer: feature("Requests", "asks questions, and goes on with the answers", "questions"),
  questionReject: feature("Requests", "asks questions, and goes on when they are declined", "questions"),
  planReadOnly: feature("Requests", "changes nothing in permission mode `plan`", "planMode"),
  planDespiteSettings: feature(
    "Requests",
    "changes nothing in permission mode `plan`, whatever the settings of the user and of the repository allow",
  ),
  planDespiteMode: feature("Requests", "changes nothing in agent mode `plan` with `acceptEdits` or `bypass`"),
  untrustedSettings: feature(
    "Requests",
    "asks in permission mode `default`, whatever the files of the repository allow",
  ),
  planApprove: feature("Requests", "proposes a plan, and goes on when it is approved"),
  planReject: feature("Requests", "proposes a plan, and goes on planning when it is rejected"),
  planFeedback: feature("Requests", "tells the model what was said instead of approving its plan"),

  systemPrompt: feature("Input", "takes a system prompt"),
  model: feature("Input", "uses the model of the session"),
  environment: feature("Input", "gives the session's environment to its commands"),
  imageAttachment: feature("Input", "takes an image with the message", "images", "fileAttachments"),
  imageBesideFile: feature("Input", "takes an image and a file with one message"),
  oddFileName: feature("Input", "takes a file whose name has spaces, umlauts and percent signs"),
  fileAttachment: feature("Input", "takes a file with the message", "fileAttachments"),

  interruptText: feature("Stopping", "is interrupted in the middle of a text, and stays usable"),
  interruptTool: feature("Stopping", "is interrupted in the middle of a command, which ends, and stays usable"),
  interruptForks: feature(
    "Stopping",
    "is interrupted in the middle of a command, and nothing is left of what it started (`setsid`, `nohup`, double forks)",
  ),
  interruptPermission: feature("Stopping", "is interrupted while it waits for permission, and stays usable"),
  interruptQuestion: feature("Stopping", "is interrupted while it waits for an answer, and stays usable"),
  interruptHang: feature("Stopping", "is interrupted while the model says nothing, and stays usable"),
  closeText: feature("Stopping", "is closed in the middle of a text, and says nothing any more"),
  closeTool: feature("Stopping", "is closed in the middle of a command, and leaves no process"),
  closeForks: feature("Stopping", "is closed after a command, and leaves nothing of what the command started"),

  twoSessions: feature("Sessions", "keeps two sessions apart that run at the same time"),
  resume: feature("Sessions", "goes on with a conversation after it was closed", "sessionLifecycle"),
  restored: feature("Sessions", "goes on with a conversation that happened elsewhere, and its model sees all of it"),
  killedIdle: feature("Sessions", "goes on with a conversation after its process was killed between turns"),
  killedBusy: feature("Sessions", "goes on with a conversation after its process was killed in a turn"),
  killedTool: feature("Sessions", "leaves no command running when its process was killed in the middle of it"),
  systemPromptAfterRestart: feature("Sessions", "still has its system prompt and its skills after a restart"),
  attachmentsAfterRestart: feature("Sessions", "still knows after a restart which image and file went with a message"),
  alwaysAfterRestart: feature("Sessions", "still knows after a restart what was allowed for always"),
  planAfterRestart: feature("Sessions", "still knows after a restart that its plan was approved"),
  modelChange: feature("Sessions", "goes on with a conversation with another model, and with its own again"),
  permissionModeChange: feature(
    "Sessions",
    "asks nobody any more when its permission mode becomes `bypass`, and asks again when it becomes `default`",
  ),
  planAgain: feature("Sessions", "plans again when its permission mode becomes `plan` after a plan was approved"),
  sessionEnd: feature("Sessions", "ends the session by itself"),

  profileSystemPrompt: feature("Profiles", "takes the system prompt of a profile"),
  profileInstructions: feature("Profiles", "takes the instructions of a profile (`AGENTS.md`, `CLAUDE.md`)"),
  profileSkill: feature("Profiles", "knows the skills of a profile, and finds the files beside them"),
  profileSubagent: feature("Profiles", "hands tasks to the subagents of a profile"),
  profileCommand: feature("Profiles", "is told the prompt of a command of a profile"),
  profileMcp: feature("Profiles", "calls tools of the MCP servers of a profile"),
  profileHooks: feature("Profiles", "runs the hooks of a profile"),
  profileEnvironment: feature("Profiles", "gives the environment of a profile to its commands"),
  profileSecrets: feature("Profiles", "gives the secrets of a profile to its commands"),
  profileFiles: feature("Profiles", "finds the files of a profile in its directory"),
  profileRemoved: feature("Profiles", "leaves nothing of a profile behind"),

  error: feature("Failures", "reports an error of the model and ends the turn with it", "errorEvents"),
  wrongKey: feature("Failures", "says what to do when the key is wrong"),
  forbidden: feature("Failures", "says what to do when the key may not use the model (403)"),
  unknownModel: feature("Failures", "says that the model does not exist"),
  unknownVariant: feature("Failures", "refuses a variant that does not exist, or tells so in the turn"),
  rateLimit: feature("Failures", "survives a model that is asked too often (429)"),
  serverError: feature("Failures", "survives a model that fails (500)"),
  lastingRateLimit: feature("Failures", "gives up on a model that takes no more requests (429), and says so"),
  lastingServerError: feature("Failures", "gives up on a model that fails again and again (500), and says so"),
  cutStream: feature("Failures", "survives a stream that is cut"),
} as const satisfies Record<string, Feature>;

export type FeatureName = keyof typeof features;
export const featureNames = Object.keys(features) as FeatureName[];

function feature(group: FeatureGroup, title: string, ...proves: CapabilityName[]): Feature {
  return { title, group, proves };
}
