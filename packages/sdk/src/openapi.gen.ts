// Made by `npm run gen` from docs/openapi.json. Do not edit.

/** The operations of the HTTP API by path and method. */
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What this server is */
        get: operations["getServerInfo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This API as an OpenAPI 3.1 document */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Is the daemon up? */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List agents with what they can do */
        get: operations["listAgents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Install an agent; as server-sent events with `Accept: text/event-stream` */
        post: operations["installAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/modes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List an agent's modes */
        get: operations["getAgentModes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/agents/{agent}/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List an agent's models */
        get: operations["getAgentModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List sessions, newest first, ended ones included */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/sse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow all sessions: which are created, change, wait for a person, end or are deleted */
        get: operations["getSessionListSse"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read one session */
        get: operations["getSession"];
        put?: never;
        /** Create a session; installs the agent when it is missing */
        post: operations["createSession"];
        /** End a session and remove its log */
        delete: operations["deleteSession"];
        options?: never;
        head?: never;
        /** Change settings of a session, from its next turn on */
        patch: operations["updateSession"];
        trace?: never;
    };
    "/v1/sessions/{sessionId}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a message; what happens arrives as events */
        post: operations["postMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/messages/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a message and stream exactly its turn */
        post: operations["postMessageStream"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/turns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which turn runs, and which messages wait behind it */
        get: operations["listTurns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/turns/{turnId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Take a waiting message back: its turn never runs */
        delete: operations["withdrawTurn"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/interrupt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop the running turn; the session stays usable */
        post: operations["interruptSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/terminate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End a session; its log stays readable */
        post: operations["terminateSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read events after an offset */
        get: operations["getEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/events/sse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow events: first what was, then what comes */
        get: operations["getEventsSse"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What changed in the session's directory since it began, or since a turn began */
        get: operations["getDiff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/questions/{questionId}/reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Answer a question */
        post: operations["replyQuestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/questions/{questionId}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decline to answer a question */
        post: operations["rejectQuestion"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sessions/{sessionId}/permissions/{permissionId}/reply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Allow or refuse what the agent asked for */
        post: operations["replyPermission"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fs/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a directory */
        get: operations["listFsEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fs/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read a file */
        get: operations["readFsFile"];
        /** Write a file; missing directories are made */
        put: operations["writeFsFile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fs/entry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a file or directory */
        delete: operations["deleteFsEntry"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fs/mkdir": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make a directory and its parents */
        post: operations["mkdirFs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fs/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Move or rename a file or directory */
        post: operations["moveFs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fs/stat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What is at a path? */
        get: operations["statFs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fs/upload-batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Unpack a tar archive into a directory */
        post: operations["uploadFsBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fs/delete-batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Delete many files and directories; those that are missing are passed over */
        post: operations["deleteFsBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fs/manifest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All that is in a directory, with hashes, a line each; and what was left out and why */
        get: operations["getFsManifest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fs/tar": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A tar archive of chosen paths, or of all that the manifest lists */
        post: operations["packFs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fs/changes/sse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow what is created, modified and deleted in a directory */
        get: operations["getFsChangesSse"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
/** The schemas of the HTTP API by name. */
export interface components {
    schemas: {
        /**
         * @description What a tool call does, whatever the agent calls its tool
         * @enum {string}
         */
        ActionKind: "read" | "edit" | "delete" | "move" | "execute" | "fetch" | "mcp" | "other";
        AgentCapabilities: {
            planMode: boolean;
            permissions: boolean;
            questions: boolean;
            toolCalls: boolean;
            toolResults: boolean;
            textMessages: boolean;
            images: boolean;
            fileAttachments: boolean;
            sessionLifecycle: boolean;
            errorEvents: boolean;
            reasoning: boolean;
            status: boolean;
            commandExecution: boolean;
            fileChanges: boolean;
            mcpTools: boolean;
            streamingDeltas: boolean;
            itemStarted: boolean;
            sharedProcess: boolean;
        };
        AgentError: {
            /** @enum {string} */
            type: "invalid_request" | "unsupported_agent" | "mode_not_supported" | "token_invalid" | "permission_denied" | "agent_not_installed" | "session_not_found" | "request_not_found" | "turn_not_found" | "not_found" | "method_not_allowed" | "session_already_exists" | "turn_already_exists" | "turn_already_started" | "request_already_resolved" | "session_ended" | "payload_too_large" | "unsupported_media_type" | "too_many_requests" | "install_failed" | "agent_process_exited" | "internal_error" | "stream_error" | "timeout";
            message: string;
            agent?: string | null;
            session_id?: string | null;
            details?: unknown;
        };
        AgentInfo: {
            id: string;
            name?: string;
            installed: boolean;
            credentialsAvailable: boolean;
            version?: string | null;
            path?: string | null;
            /** @description Where that program is from: a `SANDBOX_AGENT_…_BIN` variable, the data directory, `PATH` */
            source?: ("environment" | "installed" | "path") | null;
            /** @description What is installed when nothing else is asked for */
            pinnedVersion?: string | null;
            /** @description What can be had, where that was asked for and found out */
            newestVersion?: string | null;
            /** @description In the data directory, the one installed last first */
            installedVersions?: {
                version: string;
                /**
                 * @description npm's registry, a release of the vendor, or files of yours
                 * @enum {string}
                 */
                from: "npm" | "vendor" | "directory";
            }[] | null;
            capabilities: components["schemas"]["AgentCapabilities"];
            profile?: components["schemas"]["AgentProfileSupport"] | null;
            serverStatus?: components["schemas"]["ServerStatusInfo"] | null;
        };
        /** @description What happens during an installation; the last one says how it ended */
        AgentInstallEvent: components["schemas"]["AgentInstallProgress"] | {
            /** @constant */
            type: "installed";
            result: components["schemas"]["AgentInstallResponse"];
        } | {
            /** @constant */
            type: "failed";
            problem: components["schemas"]["ProblemDetails"];
        };
        AgentInstallProgress: {
            /** @constant */
            type: "progress";
            /** @description The agent's own, or one that it needs */
            program: string;
            version: string;
            /**
             * @description `wait`: another process installs the same program
             * @enum {string}
             */
            step: "wait" | "registry" | "resolve" | "download" | "unpack" | "verify" | "store";
            /** @description `name@version`, for the steps that have one */
            package?: string | null;
            /** @description Downloaded or unpacked so far; begins at 0 when tried again */
            bytes?: number | null;
            /** @description Of so many, where that is known */
            total?: number | null;
        };
        AgentInstallRequest: {
            /** @description Even if it is there */
            reinstall?: boolean | null;
        };
        AgentInstallResponse: {
            /** @description Everything was there already */
            already_installed: boolean;
            /** @description Empty for an agent that needs no program */
            artifacts: components["schemas"]["InstalledArtifact"][];
        };
        AgentListResponse: {
            agents: components["schemas"]["AgentInfo"][];
        };
        AgentMode: {
            id: string;
            name: string;
            description: string;
        };
        AgentModel: {
            id: string;
            name?: string | null;
            variants?: string[] | null;
            defaultVariant?: string | null;
        };
        AgentModelsResponse: {
            models: components["schemas"]["AgentModel"][];
            defaultModel?: string | null;
        };
        AgentModesResponse: {
            modes: components["schemas"]["AgentMode"][];
        };
        /** @description What an agent is given besides its messages; at most 16 MiB */
        AgentProfile: {
            /** @description For people */
            description?: string | null;
            systemPrompt?: string | null;
            /** @description As in a file AGENTS.md or CLAUDE.md */
            instructions?: string | null;
            skills?: {
                [key: string]: components["schemas"]["ProfileSkill"];
            } | null;
            subagents?: {
                [key: string]: components["schemas"]["ProfileSubagent"];
            } | null;
            commands?: {
                [key: string]: components["schemas"]["ProfileCommand"];
            } | null;
            mcp?: {
                [key: string]: components["schemas"]["McpServerRequest"];
            } | null;
            hooks?: components["schemas"]["ProfileHook"][] | null;
            env?: {
                [key: string]: string;
            } | null;
            /** @description Environment that is never shown, and encrypted where it is kept */
            secrets?: {
                [key: string]: string;
            } | null;
            /** @description Written into the session's directory where nothing is in their place */
            files?: {
                [key: string]: components["schemas"]["ProfileFile"];
            } | null;
        };
        /** @description What of a profile the agent takes */
        AgentProfileSupport: {
            takes: components["schemas"]["ProfileEntity"][];
            hookEvents: components["schemas"]["HookEvent"][];
        };
        AgentUnparsedData: {
            error: string;
            location: string;
            raw_hash?: string | null;
        };
        AgentUnparsedEvent: {
            event_id: string;
            /** @description 1, 2, 3 … within the session, without gaps */
            sequence: number;
            /** Format: date-time */
            time: string;
            session_id: string;
            native_session_id: string | null;
            source: components["schemas"]["EventSource"];
            /** @description Made by the daemon because the agent has no such event */
            synthetic: boolean;
            /** @description The agent's own payload; only with includeRaw=true */
            raw?: unknown;
            /** @constant */
            type: "agent.unparsed";
            data: components["schemas"]["AgentUnparsedData"];
        };
        ContentPart: components["schemas"]["TextPart"] | components["schemas"]["JsonPart"] | components["schemas"]["ToolCallPart"] | components["schemas"]["ToolResultPart"] | components["schemas"]["FileRefPart"] | components["schemas"]["ReasoningPart"] | components["schemas"]["ImagePart"] | components["schemas"]["StatusPart"];
        /** @description What one turn cost, where the agent tells */
        Cost: {
            amount: number;
            currency: string;
        };
        CreateSessionRequest: {
            /** @description An id of `GET /v1/agents` */
            agent: string;
            /** @description What the agent does; default: build */
            agentMode?: string | null;
            /** @description What the agent may do; default: default */
            permissionMode?: components["schemas"]["PermissionMode"] | null;
            /** @description An id of `GET /v1/agents/{agent}/models`; default: the agent's own */
            model?: string | null;
            /** @description One of the model's variants, e.g. how much it thinks */
            variant?: string | null;
            /** @description An exact version, or `latest` for the newest there is; default: the one that is installed, or ours */
            agentVersion?: string | null;
            /** @description The agent's working directory */
            directory?: string | null;
            /** @description Default: the first line of the first message */
            title?: string | null;
            /** @description The title, where `title` is not given */
            name?: string | null;
            /** @description MCP servers of this session alone, by name */
            mcp?: {
                [key: string]: components["schemas"]["McpServerRequest"];
            } | null;
            /** @description Skills of this session alone */
            skills?: components["schemas"]["SkillsConfig"] | null;
            /** @description Environment of this session's agent alone */
            env?: {
                [key: string]: string;
            } | null;
            /** @description Added to the agent's own */
            systemPrompt?: string | null;
            /** @description Rules that answer permissions without a person */
            policy?: components["schemas"]["PermissionPolicy"] | null;
            /** @description What becomes of requests that nobody answers */
            requestTimeout?: components["schemas"]["RequestTimeout"] | null;
            /** @description What you want to find again with the session; at most 64 KiB */
            metadata?: components["schemas"]["SessionMetadata"] | null;
            /** @description What the agent is given; a name, or name@version, is known to a runtime only */
            profile?: (string | components["schemas"]["AgentProfile"]) | null;
            /** @description For a runtime: which sandbox the session gets */
            sandbox?: components["schemas"]["SandboxRequest"] | null;
            /** @description The conversation to go on with */
            restore?: components["schemas"]["RestoreRequest"] | null;
        };
        CreateSessionResponse: {
            healthy: boolean;
            error?: components["schemas"]["AgentError"] | null;
            nativeSessionId?: string | null;
            profileLosses?: components["schemas"]["ProfileLoss"][] | null;
        };
        /**
         * @description What is being written: an answer, reasoning, a tool's arguments or its output
         * @enum {string}
         */
        DeltaPart: "text" | "reasoning" | "arguments" | "output";
        DiffBase: {
            /** @enum {string} */
            kind: "session" | "turn";
            /** @description The turn at whose start the files were as they are compared with */
            turnId?: string | null;
            /** @description When that was, epoch milliseconds */
            time: number;
        };
        /**
         * @description How it is known: the directory lies in a git repository, or is compared as a plain directory, or only what the agent reported is known
         * @enum {string}
         */
        DiffSource: "git" | "snapshot" | "log";
        ErrorData: {
            message: string;
            code?: string | null;
            details?: unknown;
        };
        ErrorEvent: {
            event_id: string;
            /** @description 1, 2, 3 … within the session, without gaps */
            sequence: number;
            /** Format: date-time */
            time: string;
            session_id: string;
            native_session_id: string | null;
            source: components["schemas"]["EventSource"];
            /** @description Made by the daemon because the agent has no such event */
            synthetic: boolean;
            /** @description The agent's own payload; only with includeRaw=true */
            raw?: unknown;
            /** @constant */
            type: "error";
            data: components["schemas"]["ErrorData"];
        };
        /** @enum {string} */
        EventSource: "agent" | "daemon";
        EventsResponse: {
            events: components["schemas"]["UniversalEvent"][];
            hasMore: boolean;
        };
        FileChange: {
            /** @description Relative to the session's directory; absolute where it lies outside */
            path: string;
            /** @description What it was called before, for renamed */
            oldPath?: string | null;
            /** @enum {string} */
            status: "added" | "modified" | "deleted" | "renamed";
            /** @description Lines; 0 for a binary file */
            additions: number;
            /** @description Lines; 0 for a binary file */
            deletions: number;
            binary?: boolean | null;
        };
        FileRefPart: {
            /** @constant */
            type: "file_ref";
            path: string;
            /** @enum {string} */
            action: "read" | "write" | "patch";
            /** @description Unified diff */
            diff?: string | null;
        };
        FsActionResponse: {
            path: string;
        };
        FsChange: {
            /** @enum {string} */
            type: "created" | "modified" | "deleted";
            path: string;
            /** @description The path's bytes in base64, where they are not UTF-8 */
            pathBytes?: string;
            /** @enum {string} */
            entryType: "file" | "directory" | "symlink";
        } | {
            /** @constant */
            type: "ready";
        } | {
            /** @constant */
            type: "overflow";
        };
        FsDeleteBatchRequest: {
            /** @description Files, or directories with all that is in them */
            paths: string[];
        };
        FsDeleteBatchResponse: {
            deleted: number;
            missing: number;
        };
        FsEntry: {
            name: string;
            path: string;
            entryType: components["schemas"]["FsEntryType"];
            size: number;
            /** @description RFC 3339 */
            modified?: string | null;
        };
        /** @enum {string} */
        FsEntryType: "file" | "directory";
        FsManifestLine: {
            /** @constant */
            type: "file";
            path: string;
            /** @description The path's bytes in base64, where they are not UTF-8 */
            pathBytes?: string;
            /** @description Permission bits */
            mode: number;
            size: number;
            /** @description Time of the last change, epoch milliseconds of a whole second */
            mtime: number;
            /** @description SHA-256 of the content, in hexadecimal */
            hash: string;
        } | {
            /** @constant */
            type: "directory";
            path: string;
            /** @description The path's bytes in base64, where they are not UTF-8 */
            pathBytes?: string;
            /** @description Permission bits */
            mode: number;
        } | {
            /** @constant */
            type: "symlink";
            path: string;
            /** @description The path's bytes in base64, where they are not UTF-8 */
            pathBytes?: string;
            /** @description What the link says, whether or not that is there */
            target: string;
            /** @description Its bytes in base64, where they are not UTF-8 */
            targetBytes?: string;
        } | components["schemas"]["LeftOut"] | {
            /** @constant */
            type: "end";
            entries: number;
            bytes: number;
            /** @description How many were left out, by reason; of very many only the first have a line */
            leftOut: {
                [key: string]: number;
            };
        };
        FsMoveRequest: {
            /** @description What is moved */
            from: string;
            /** @description Its new path, not a directory to put it into */
            to: string;
            /** @description Replace what is there; default: it is refused */
            overwrite?: boolean | null;
        };
        FsMoveResponse: {
            from: string;
            to: string;
        };
        FsStat: {
            path: string;
            entryType: components["schemas"]["FsEntryType"];
            size: number;
            /** @description RFC 3339 */
            modified?: string | null;
        };
        FsTarRequest: {
            /** @description Default: all that the manifest lists */
            paths?: string[];
            /** @description Paths that are not UTF-8, in base64 */
            pathBytes?: string[];
        };
        FsUploadBatchResponse: {
            paths: string[];
            truncated: boolean;
        };
        FsWriteResponse: {
            path: string;
            bytesWritten: number;
        };
        HealthResponse: {
            /** @constant */
            status: "ok";
            version?: string;
            uptimeMs?: number;
            /** @description With `details` */
            memory?: components["schemas"]["MemoryUse"] | null;
        };
        /** @enum {string} */
        HookEvent: "sessionStart" | "userPrompt" | "beforeTool" | "afterTool" | "turnEnd" | "sessionEnd";
        ImagePart: {
            /** @constant */
            type: "image";
            path: string;
            mime?: string | null;
        };
        InstalledArtifact: {
            /**
             * @description The agent's own program, or another one that it needs
             * @enum {string}
             */
            kind: "program" | "dependency";
            name: string;
            version?: string | null;
            path: string;
            /**
             * @description `installed`: it was there already
             * @enum {string}
             */
            source: "registry" | "cache" | "installed";
            downloadedBytes: number;
        };
        ItemCompletedEvent: {
            event_id: string;
            /** @description 1, 2, 3 … within the session, without gaps */
            sequence: number;
            /** Format: date-time */
            time: string;
            session_id: string;
            native_session_id: string | null;
            source: components["schemas"]["EventSource"];
            /** @description Made by the daemon because the agent has no such event */
            synthetic: boolean;
            /** @description The agent's own payload; only with includeRaw=true */
            raw?: unknown;
            /** @constant */
            type: "item.completed";
            data: components["schemas"]["ItemEventData"];
        };
        ItemDeltaData: {
            item_id: string;
            native_item_id?: string | null;
            delta: string;
            /** @description What the agent is writing; absent for the user's own message */
            part?: components["schemas"]["DeltaPart"] | null;
        };
        ItemDeltaEvent: {
            event_id: string;
            /** @description 1, 2, 3 … within the session, without gaps */
            sequence: number;
            /** Format: date-time */
            time: string;
            session_id: string;
            native_session_id: string | null;
            source: components["schemas"]["EventSource"];
            /** @description Made by the daemon because the agent has no such event */
            synthetic: boolean;
            /** @description The agent's own payload; only with includeRaw=true */
            raw?: unknown;
            /** @constant */
            type: "item.delta";
            data: components["schemas"]["ItemDeltaData"];
        };
        ItemEventData: {
            item: components["schemas"]["UniversalItem"];
        };
        /** @enum {string} */
        ItemKind: "message" | "tool_call" | "tool_result" | "system" | "status" | "unknown";
        /** @enum {string} */
        ItemRole: "user" | "assistant" | "system" | "tool";
        ItemStartedEvent: {
            event_id: string;
            /** @description 1, 2, 3 … within the session, without gaps */
            sequence: number;
            /** Format: date-time */
            time: string;
            session_id: string;
            native_session_id: string | null;
            source: components["schemas"]["EventSource"];
            /** @description Made by the daemon because the agent has no such event */
            synthetic: boolean;
            /** @description The agent's own payload; only with includeRaw=true */
            raw?: unknown;
            /** @constant */
            type: "item.started";
            data: components["schemas"]["ItemEventData"];
        };
        /** @enum {string} */
        ItemStatus: "in_progress" | "completed" | "failed";
        JsonPart: {
            /** @constant */
            type: "json";
            json: unknown;
        };
        LeftOut: {
            /** @constant */
            type: "left_out";
            path: string;
            /** @description The path's bytes in base64, where they are not UTF-8 */
            pathBytes?: string;
            reason: components["schemas"]["LeftOutReason"];
            size?: number;
        };
        /**
         * @description `ignored`: by a .gitignore; `special`: a socket, pipe or device; `limit`: there is too much in all
         * @enum {string}
         */
        LeftOutReason: "ignored" | "dependency" | "secret" | "too_large" | "too_deep" | "limit" | "unreadable" | "special";
        McpServerConfig: {
            /** @constant */
            type: "local";
            command: string;
            args?: string[] | null;
            env?: {
                [key: string]: string;
            } | null;
            cwd?: string | null;
            enabled?: boolean | null;
            timeoutMs?: number | null;
        } | {
            /** @constant */
            type: "remote";
            /** Format: uri */
            url: string;
            headers?: {
                [key: string]: string;
            } | null;
            bearerTokenEnvVar?: string | null;
            envHeaders?: {
                [key: string]: string;
            } | null;
            transport?: ("http" | "sse") | null;
            enabled?: boolean | null;
            timeoutMs?: number | null;
        };
        /** @description McpServerConfig as a client may write it */
        McpServerRequest: {
            /** @constant */
            type: "local";
            /** @description The program; in an array its first arguments follow */
            command: string | string[];
            args?: string[] | null;
            env?: {
                [key: string]: string;
            } | null;
            cwd?: string | null;
            enabled?: boolean | null;
            timeoutMs?: number | null;
        } | {
            /** @constant */
            type: "remote";
            /** Format: uri */
            url: string;
            headers?: {
                [key: string]: string;
            } | null;
            bearerTokenEnvVar?: string | null;
            envHeaders?: {
                [key: string]: string;
            } | null;
            transport?: ("http" | "sse") | null;
            enabled?: boolean | null;
            timeoutMs?: number | null;
        };
        /** @description What the daemon holds in memory */
        MemoryUse: {
            /** @description Bytes of the whole process */
            rss: number;
            /** @description Bytes */
            heapUsed: number;
            /** @description Bytes; more ends the daemon */
            heapLimit: number;
            sessions: number;
            /** @description Characters that the open items of all sessions hold */
            openText: number;
            /** @description Characters; items that stream more are cut */
            maxOpenText: number;
            /** @description Characters of messages that wait for their turn */
            queuedText: number;
        };
        MessageAttachment: {
            /** @description A file on the daemon's machine */
            path?: string | null;
            /** @description The content itself as a `data:` URL; the daemon makes a file of it */
            url?: string | null;
            mime?: string | null;
            filename?: string | null;
        };
        MessageRequest: {
            /** @description Empty only where there are attachments */
            message: string;
            /** @description Files of the daemon's machine, or `data:` URLs */
            attachments?: components["schemas"]["MessageAttachment"][] | null;
            /** @description Your own id of the message; default: the Idempotency-Key. In the log as `client_message_id` */
            messageId?: string | null;
            /** @description The id that the turn shall have, unique in the session; default: one is made up */
            turnId?: string | null;
        };
        MessageResponse: {
            turnId: string;
        };
        /** @description What waits for a person; the event in the log says it all */
        PendingRequest: {
            /** @enum {string} */
            type: "permission" | "question" | "plan";
            /** @description `permission_id` or `question_id` */
            id: string;
            /** @description What is asked, cut after 500 characters */
            summary: string;
            kind?: components["schemas"]["ActionKind"] | null;
            tool?: string | null;
            /** @description At most 20 */
            paths?: string[] | null;
            /** @description Cut after 500 characters */
            command?: string | null;
            url?: string | null;
            /** @description Labels of the first question */
            options?: string[] | null;
            callId?: string | null;
            itemId?: string | null;
        };
        /**
         * @description What the agent may do
         * @enum {string}
         */
        PermissionMode: "default" | "plan" | "acceptEdits" | "bypass";
        /** @description Decides requests for permission before a person is asked */
        PermissionPolicy: {
            /** @description In order: the first that fits decides */
            rules: components["schemas"]["PolicyRule"][];
            /** @description When no rule fits; default: what the permission mode says */
            otherwise?: components["schemas"]["PolicyAction"] | null;
        };
        /** @enum {string} */
        PermissionReply: "once" | "always" | "reject";
        PermissionReplyRequest: {
            /** @description `always`: what the agent offers to remember */
            reply: components["schemas"]["PermissionReply"];
            /** @description Why it is rejected; told to the model where the agent takes it */
            reason?: string | null;
        };
        PermissionRequestedData: {
            permission_id: string;
            /** @description What the agent wants to do, as a sentence */
            action: string;
            kind?: components["schemas"]["ActionKind"] | null;
            /** @description The agent's own name of the tool */
            tool?: string | null;
            /** @description Files that are touched, absolute; a move names source and target */
            paths?: string[] | null;
            /** @description The command line, for execute */
            command?: string | null;
            /** @description Where the command runs, absolute */
            cwd?: string | null;
            /** @description What is fetched */
            url?: string | null;
            /** @description Unified diff of the change */
            diff?: string | null;
            /** @description The MCP server whose tool it is, for mcp */
            mcp_server?: string | null;
            /** @description `call_id` of the tool call it is about */
            call_id?: string | null;
            /** @description `item_id` of that tool call */
            item_id?: string | null;
            /** @description What else the agent says; differs by agent */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @constant */
            status: "requested";
        };
        PermissionRequestedEvent: {
            event_id: string;
            /** @description 1, 2, 3 … within the session, without gaps */
            sequence: number;
            /** Format: date-time */
            time: string;
            session_id: string;
            native_session_id: string | null;
            source: components["schemas"]["EventSource"];
            /** @description Made by the daemon because the agent has no such event */
            synthetic: boolean;
            /** @description The agent's own payload; only with includeRaw=true */
            raw?: unknown;
            /** @constant */
            type: "permission.requested";
            data: components["schemas"]["PermissionRequestedData"];
        };
        PermissionResolvedData: {
            permission_id: string;
            /** @description What the agent wants to do, as a sentence */
            action: string;
            kind?: components["schemas"]["ActionKind"] | null;
            /** @description The agent's own name of the tool */
            tool?: string | null;
            /** @description Files that are touched, absolute; a move names source and target */
            paths?: string[] | null;
            /** @description The command line, for execute */
            command?: string | null;
            /** @description Where the command runs, absolute */
            cwd?: string | null;
            /** @description What is fetched */
            url?: string | null;
            /** @description Unified diff of the change */
            diff?: string | null;
            /** @description The MCP server whose tool it is, for mcp */
            mcp_server?: string | null;
            /** @description `call_id` of the tool call it is about */
            call_id?: string | null;
            /** @description `item_id` of that tool call */
            item_id?: string | null;
            /** @description What else the agent says; differs by agent */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @enum {string} */
            status: "approved" | "denied";
            reply?: components["schemas"]["PermissionReply"] | null;
            resolved_by?: components["schemas"]["RequestResolver"] | null;
            /** @description Why it was decided so, as the model is told where the agent takes it */
            reason?: string | null;
        };
        PermissionResolvedEvent: {
            event_id: string;
            /** @description 1, 2, 3 … within the session, without gaps */
            sequence: number;
            /** Format: date-time */
            time: string;
            session_id: string;
            native_session_id: string | null;
            source: components["schemas"]["EventSource"];
            /** @description Made by the daemon because the agent has no such event */
            synthetic: boolean;
            /** @description The agent's own payload; only with includeRaw=true */
            raw?: unknown;
            /** @constant */
            type: "permission.resolved";
            data: components["schemas"]["PermissionResolvedData"];
        };
        /** @enum {string} */
        PolicyAction: "allow" | "ask" | "deny";
        /** @description Fits when each of the fields that are given fits */
        PolicyRule: {
            /** @description What happens when everything that the rule names fits */
            action: components["schemas"]["PolicyAction"];
            /** @description Kinds of action; absent: every kind */
            kind?: (components["schemas"]["ActionKind"] | components["schemas"]["ActionKind"][]) | null;
            /** @description Globs of files, relative to the session's directory or absolute; `!` in front excludes */
            paths?: (string | string[]) | null;
            /** @description Patterns of command lines: words with `*` for any text, e.g. `npm test*` */
            commands?: (string | string[]) | null;
            /** @description Names of tools, `*` for any text */
            tools?: (string | string[]) | null;
            /** @description Names of MCP servers, `*` for any text */
            mcpServers?: (string | string[]) | null;
            /** @description Told in the log, and to the model when it is denied */
            reason?: string | null;
        };
        /** @description RFC 9457 problem body of every error response */
        ProblemDetails: {
            /**
             * @description Stable identifier of the kind of error
             * @enum {string}
             */
            type: "urn:sandbox-agent:error:invalid_request" | "urn:sandbox-agent:error:unsupported_agent" | "urn:sandbox-agent:error:mode_not_supported" | "urn:sandbox-agent:error:token_invalid" | "urn:sandbox-agent:error:permission_denied" | "urn:sandbox-agent:error:agent_not_installed" | "urn:sandbox-agent:error:session_not_found" | "urn:sandbox-agent:error:request_not_found" | "urn:sandbox-agent:error:turn_not_found" | "urn:sandbox-agent:error:not_found" | "urn:sandbox-agent:error:method_not_allowed" | "urn:sandbox-agent:error:session_already_exists" | "urn:sandbox-agent:error:turn_already_exists" | "urn:sandbox-agent:error:turn_already_started" | "urn:sandbox-agent:error:request_already_resolved" | "urn:sandbox-agent:error:session_ended" | "urn:sandbox-agent:error:payload_too_large" | "urn:sandbox-agent:error:unsupported_media_type" | "urn:sandbox-agent:error:too_many_requests" | "urn:sandbox-agent:error:install_failed" | "urn:sandbox-agent:error:agent_process_exited" | "urn:sandbox-agent:error:internal_error" | "urn:sandbox-agent:error:stream_error" | "urn:sandbox-agent:error:timeout";
            title: string;
            status: number;
            /** @description What went wrong here and what to do about it */
            detail?: string | null;
            instance?: string | null;
            agent?: string | null;
            sessionId?: string | null;
            details?: unknown;
        };
        ProfileCommand: {
            description?: string | null;
            /** @description What the agent is told for `/name words`; `$ARGUMENTS` and `$1` … `$9` stand for the words */
            prompt: string;
        };
        /** @enum {string} */
        ProfileEntity: "systemPrompt" | "instructions" | "skills" | "subagents" | "commands" | "mcp" | "hooks" | "env" | "secrets" | "files";
        /** @description A file's text; or its content with how it is encoded */
        ProfileFile: string | {
            content: string;
            encoding?: ("utf8" | "base64") | null;
            executable?: boolean | null;
        };
        ProfileHook: {
            event: components["schemas"]["HookEvent"];
            /** @description Which tools, as the agent calls them; default: all */
            matcher?: string | null;
            /** @description Run by a shell; on its stdin is what the agent itself tells its hooks */
            command: string;
            timeoutMs?: number | null;
        };
        /** @description A part of the profile that the agent does not get */
        ProfileLoss: {
            entity: components["schemas"]["ProfileEntity"];
            /** @description Which of them; absent: all */
            name?: string | null;
            reason: string;
        };
        ProfileSkill: {
            /** @description Its SKILL.md and what that refers to, by their paths in the skill's folder */
            files: {
                [key: string]: components["schemas"]["ProfileFile"];
            };
        };
        ProfileSubagent: {
            /** @description When to hand a task to it */
            description: string;
            /** @description Its system prompt */
            prompt: string;
            /** @description The only tools it has, as the agent calls them */
            tools?: string[] | null;
            model?: string | null;
        };
        Question: {
            header?: string | null;
            prompt: string;
            options: {
                label: string;
                description?: string | null;
            }[];
            multi_select: boolean;
        };
        /**
         * @description A question, or the approval of a plan
         * @enum {string}
         */
        QuestionKind: "question" | "plan";
        QuestionReplyRequest: {
            /** @description One array of selected labels per question; those that are missing count as none */
            answers: string[][];
        };
        QuestionRequestedData: {
            question_id: string;
            kind?: components["schemas"]["QuestionKind"] | null;
            /** @description The plan to approve, where kind is plan and the agent tells it */
            plan?: string | null;
            /** @description `call_id` of the tool call it is about */
            call_id?: string | null;
            /** @description `item_id` of that tool call */
            item_id?: string | null;
            /** @description The first question's text */
            prompt: string;
            /** @description The first question's labels */
            options: string[];
            /** @description All questions of the request */
            questions?: components["schemas"]["Question"][] | null;
            /** @constant */
            status: "requested";
        };
        QuestionRequestedEvent: {
            event_id: string;
            /** @description 1, 2, 3 … within the session, without gaps */
            sequence: number;
            /** Format: date-time */
            time: string;
            session_id: string;
            native_session_id: string | null;
            source: components["schemas"]["EventSource"];
            /** @description Made by the daemon because the agent has no such event */
            synthetic: boolean;
            /** @description The agent's own payload; only with includeRaw=true */
            raw?: unknown;
            /** @constant */
            type: "question.requested";
            data: components["schemas"]["QuestionRequestedData"];
        };
        QuestionResolvedData: {
            question_id: string;
            kind?: components["schemas"]["QuestionKind"] | null;
            /** @description The plan to approve, where kind is plan and the agent tells it */
            plan?: string | null;
            /** @description `call_id` of the tool call it is about */
            call_id?: string | null;
            /** @description `item_id` of that tool call */
            item_id?: string | null;
            /** @description The first question's text */
            prompt: string;
            /** @description The first question's labels */
            options: string[];
            /** @description All questions of the request */
            questions?: components["schemas"]["Question"][] | null;
            /** @enum {string} */
            status: "answered" | "rejected";
            /** @description The first question's answer, labels joined with a comma */
            response?: string | null;
            /** @description One array of selected labels per question */
            answers?: string[][] | null;
            resolved_by?: components["schemas"]["RequestResolver"] | null;
            /** @description Why it was decided so, as the model is told where the agent takes it */
            reason?: string | null;
        };
        QuestionResolvedEvent: {
            event_id: string;
            /** @description 1, 2, 3 … within the session, without gaps */
            sequence: number;
            /** Format: date-time */
            time: string;
            session_id: string;
            native_session_id: string | null;
            source: components["schemas"]["EventSource"];
            /** @description Made by the daemon because the agent has no such event */
            synthetic: boolean;
            /** @description The agent's own payload; only with includeRaw=true */
            raw?: unknown;
            /** @constant */
            type: "question.resolved";
            data: components["schemas"]["QuestionResolvedData"];
        };
        ReasoningPart: {
            /** @constant */
            type: "reasoning";
            text: string;
            /** @enum {string} */
            visibility: "public" | "private";
        };
        /**
         * @description Who decided: a person, the session's policy, an earlier `always`, the request's timeout, the agent that withdrew it, or the daemon because the turn ended
         * @enum {string}
         */
        RequestResolver: "person" | "policy" | "remembered" | "timeout" | "agent" | "daemon";
        /** @description Answers requests that nobody attends to */
        RequestTimeout: {
            /** @description How long a request may wait for a person */
            afterMs: number;
            /** @description The answer to a permission; default: reject */
            permission?: ("once" | "reject") | null;
            /** @description The answer to a question: its first option; default: reject */
            question?: ("first" | "reject") | null;
            reason?: string | null;
        };
        /** @description A conversation that happened elsewhere: its events, or the agent's own files */
        RestoreRequest: {
            /** @description Of any agent, in order */
            events: components["schemas"]["UniversalEvent"][];
        } | {
            /** @description The agent's own id of the conversation */
            nativeSessionId: string;
            transcript: {
                /** @description Under the directory in which the agent keeps its things */
                path: string;
                text: string;
            }[];
        };
        /** @description The sandbox that a runtime makes for a session; a daemon runs none and says so in the log */
        SandboxRequest: {
            /** @description Who makes the sandbox */
            provider?: string | null;
            /** @description What it is made of, in the provider's own words */
            image?: string | null;
            network?: ("on" | "off") | null;
            memoryMiB?: number | null;
            cpus?: number | null;
            /** @description It is ended, or paused, when nothing happened for so long */
            idleTimeoutMs?: number | null;
        } & {
            [key: string]: unknown;
        };
        SandboxState: {
            sandboxId: string;
            status: components["schemas"]["SandboxStatus"];
            statusMessage?: string | null;
            restartCount: number;
            /** @description Epoch milliseconds; 0 before the first */
            lastHealthCheck: number;
            /** @description The session's first sandbox is 1, the one after it 2 … */
            generation: number;
            provider: string;
        };
        /** @enum {string} */
        SandboxStatus: "starting" | "ready" | "unhealthy" | "terminated";
        ServerInfo: {
            /** @constant */
            name: "sandbox-agent";
            version: string;
            /** @description Whether agents run where this answers, or each session in a sandbox; without it, a daemon */
            kind?: ("daemon" | "runtime") | null;
            /** @description Where the API lives */
            api: string;
            /** @description Where this document lives */
            openapi: string;
            /** @description Where the web inspector lives, if this daemon serves one */
            inspector?: string | null;
        };
        /** @description The process that an agent's sessions share */
        ServerStatusInfo: {
            /** @enum {string} */
            status: "running" | "stopped" | "error";
            restartCount: number;
            baseUrl?: string | null;
            lastError?: string | null;
            uptimeMs?: number | null;
        };
        /** @description Settings of a session that changed */
        SessionChanges: {
            title?: string;
            /** @description null: the agent's default */
            model?: string | null;
            variant?: string | null;
            agent_mode?: string;
            permission_mode?: components["schemas"]["PermissionMode"];
            policy?: components["schemas"]["PermissionPolicy"] | null;
            request_timeout?: components["schemas"]["RequestTimeout"] | null;
        };
        SessionDiff: {
            base: components["schemas"]["DiffBase"];
            files: components["schemas"]["FileChange"][];
            /** @description Unified diff of all of them; absent with `format=summary` */
            diff?: string | null;
            /** @description Something was left out; `notes` says what */
            truncated: boolean;
            source: components["schemas"]["DiffSource"];
            /** @description What is missing or uncertain, as sentences */
            notes?: string[] | null;
        };
        SessionEndedData: {
            /** @enum {string} */
            reason: "completed" | "error" | "terminated";
            /** @enum {string} */
            terminated_by: "agent" | "daemon";
            message?: string | null;
            exit_code?: number | null;
            stderr?: components["schemas"]["StderrExcerpt"] | null;
        };
        SessionEndedEvent: {
            event_id: string;
            /** @description 1, 2, 3 … within the session, without gaps */
            sequence: number;
            /** Format: date-time */
            time: string;
            session_id: string;
            native_session_id: string | null;
            source: components["schemas"]["EventSource"];
            /** @description Made by the daemon because the agent has no such event */
            synthetic: boolean;
            /** @description The agent's own payload; only with includeRaw=true */
            raw?: unknown;
            /** @constant */
            type: "session.ended";
            data: components["schemas"]["SessionEndedData"];
        };
        SessionInfo: {
            sessionId: string;
            agent: string;
            /** @description Which it began with and keeps, of an agent that we installed */
            agentVersion?: string | null;
            agentMode: string;
            permissionMode: components["schemas"]["PermissionMode"];
            model?: string | null;
            variant?: string | null;
            nativeSessionId?: string | null;
            ended: boolean;
            eventCount: number;
            /** @description Epoch milliseconds */
            createdAt: number;
            /** @description Epoch milliseconds */
            updatedAt: number;
            directory?: string | null;
            title?: string | null;
            mcp?: {
                [key: string]: components["schemas"]["McpServerConfig"];
            } | null;
            skills?: components["schemas"]["SkillsConfig"] | null;
            status: components["schemas"]["SessionStatus"];
            pendingPermissions: string[];
            pendingQuestions: string[];
            pendingRequests?: components["schemas"]["PendingRequest"][] | null;
            /** @description Messages that wait behind the running turn */
            queuedTurns?: number | null;
            /** @description Of all turns */
            usage?: components["schemas"]["Usage"] | null;
            /** @description Of all turns, where the agent tells */
            cost?: components["schemas"]["Cost"] | null;
            policy?: components["schemas"]["PermissionPolicy"] | null;
            requestTimeout?: components["schemas"]["RequestTimeout"] | null;
            /** @description Why the session can only be read and deleted, e.g. because its files are damaged */
            problem?: string | null;
            metadata?: components["schemas"]["SessionMetadata"] | null;
            /** @description Of a runtime: its name and version */
            profile?: string | null;
            /** @description What the agent does not get of its profile */
            profileLosses?: components["schemas"]["ProfileLoss"][] | null;
            /** @description What a message may begin with as `/name`, of the profile */
            commands?: {
                name: string;
                description?: string | null;
            }[] | null;
            runtime?: components["schemas"]["SessionRuntimeState"] | null;
        };
        /** @description A session as the stream of all sessions tells it: SessionInfo without its longer settings */
        SessionListEntry: {
            sessionId: string;
            agent: string;
            /** @description Which it began with and keeps, of an agent that we installed */
            agentVersion?: string | null;
            agentMode: string;
            permissionMode: components["schemas"]["PermissionMode"];
            model?: string | null;
            variant?: string | null;
            nativeSessionId?: string | null;
            ended: boolean;
            eventCount: number;
            /** @description Epoch milliseconds */
            createdAt: number;
            /** @description Epoch milliseconds */
            updatedAt: number;
            directory?: string | null;
            title?: string | null;
            status: components["schemas"]["SessionStatus"];
            pendingPermissions: string[];
            pendingQuestions: string[];
            pendingRequests?: components["schemas"]["PendingRequest"][] | null;
            /** @description Messages that wait behind the running turn */
            queuedTurns?: number | null;
            /** @description Of all turns */
            usage?: components["schemas"]["Usage"] | null;
            /** @description Of all turns, where the agent tells */
            cost?: components["schemas"]["Cost"] | null;
            /** @description Why the session can only be read and deleted, e.g. because its files are damaged */
            problem?: string | null;
            /** @description Of a runtime: its name and version */
            profile?: string | null;
            runtime?: components["schemas"]["SessionRuntimeState"] | null;
        };
        /** @description A change of the list of sessions; `reset` means that the list has to be read again */
        SessionListEvent: {
            /** @constant */
            type: "reset";
            /**
             * @description A new stream, another start of the daemon, or a place too far back
             * @enum {string}
             */
            reason: "connected" | "restarted" | "expired";
        } | {
            /** @constant */
            type: "session.created";
            session: components["schemas"]["SessionListEntry"];
        } | {
            /** @constant */
            type: "session.changed";
            session: components["schemas"]["SessionListEntry"];
        } | {
            /** @constant */
            type: "session.waiting";
            session: components["schemas"]["SessionListEntry"];
        } | {
            /** @constant */
            type: "session.ended";
            session: components["schemas"]["SessionListEntry"];
        } | {
            /** @constant */
            type: "session.deleted";
            sessionId: string;
        };
        SessionListResponse: {
            sessions: components["schemas"]["SessionInfo"][];
            /** @description Where the next page begins; absent when there is none */
            nextCursor?: string | null;
        };
        /** @description What a client wants to find again with the session; at most 64 KiB */
        SessionMetadata: {
            [key: string]: unknown;
        };
        /** @description Where a session runs; only a runtime tells it */
        SessionRuntimeState: {
            /** @description Whether the runtime holds the session in memory */
            isLoaded: boolean;
            /** @description null while the session has none */
            sandbox: components["schemas"]["SandboxState"] | null;
        };
        SessionStartedData: {
            metadata?: {
                [key: string]: unknown;
            } | null;
        };
        SessionStartedEvent: {
            event_id: string;
            /** @description 1, 2, 3 … within the session, without gaps */
            sequence: number;
            /** Format: date-time */
            time: string;
            session_id: string;
            native_session_id: string | null;
            source: components["schemas"]["EventSource"];
            /** @description Made by the daemon because the agent has no such event */
            synthetic: boolean;
            /** @description The agent's own payload; only with includeRaw=true */
            raw?: unknown;
            /** @constant */
            type: "session.started";
            data: components["schemas"]["SessionStartedData"];
        };
        /** @enum {string} */
        SessionStatus: "idle" | "running" | "waiting" | "ended";
        SessionUpdatedData: {
            /** @description What holds from now on; what is absent did not change */
            changes: components["schemas"]["SessionChanges"];
        };
        SessionUpdatedEvent: {
            event_id: string;
            /** @description 1, 2, 3 … within the session, without gaps */
            sequence: number;
            /** Format: date-time */
            time: string;
            session_id: string;
            native_session_id: string | null;
            source: components["schemas"]["EventSource"];
            /** @description Made by the daemon because the agent has no such event */
            synthetic: boolean;
            /** @description The agent's own payload; only with includeRaw=true */
            raw?: unknown;
            /** @constant */
            type: "session.updated";
            data: components["schemas"]["SessionUpdatedData"];
        };
        SkillsConfig: {
            sources: {
                /** @enum {string} */
                type: "local" | "git" | "github";
                source: string;
                skills?: string[] | null;
                ref?: string | null;
                subpath?: string | null;
            }[];
        };
        StatusPart: {
            /** @constant */
            type: "status";
            label: string;
            detail?: string | null;
        };
        StderrExcerpt: {
            head?: string | null;
            tail?: string | null;
            truncated: boolean;
            total_lines?: number | null;
        };
        TextPart: {
            /** @constant */
            type: "text";
            text: string;
        };
        ToolCallPart: {
            /** @constant */
            type: "tool_call";
            name: string;
            /** @description JSON-encoded arguments */
            arguments: string;
            call_id: string;
        };
        ToolResultPart: {
            /** @constant */
            type: "tool_result";
            call_id: string;
            output: string;
        };
        /** @enum {string} */
        TurnEndReason: "completed" | "interrupted" | "error";
        TurnEndedData: {
            /** @constant */
            phase: "ended";
            turn_id: string;
            metadata: components["schemas"]["TurnEndedMetadata"];
        };
        TurnEndedEvent: {
            event_id: string;
            /** @description 1, 2, 3 … within the session, without gaps */
            sequence: number;
            /** Format: date-time */
            time: string;
            session_id: string;
            native_session_id: string | null;
            source: components["schemas"]["EventSource"];
            /** @description Made by the daemon because the agent has no such event */
            synthetic: boolean;
            /** @description The agent's own payload; only with includeRaw=true */
            raw?: unknown;
            /** @constant */
            type: "turn.ended";
            data: components["schemas"]["TurnEndedData"];
        };
        TurnEndedMetadata: {
            reason: components["schemas"]["TurnEndReason"];
            /** @description Why, when the reason is error */
            message?: string | null;
            usage?: components["schemas"]["Usage"] | null;
            cost?: components["schemas"]["Cost"] | null;
            model?: string | null;
        } & {
            [key: string]: unknown;
        };
        TurnStartedData: {
            /** @constant */
            phase: "started";
            turn_id: string;
            metadata?: components["schemas"]["TurnStartedMetadata"] | null;
        };
        TurnStartedEvent: {
            event_id: string;
            /** @description 1, 2, 3 … within the session, without gaps */
            sequence: number;
            /** Format: date-time */
            time: string;
            session_id: string;
            native_session_id: string | null;
            source: components["schemas"]["EventSource"];
            /** @description Made by the daemon because the agent has no such event */
            synthetic: boolean;
            /** @description The agent's own payload; only with includeRaw=true */
            raw?: unknown;
            /** @constant */
            type: "turn.started";
            data: components["schemas"]["TurnStartedData"];
        };
        TurnStartedMetadata: {
            /** @description The id that the sender gave the message */
            client_message_id?: string | null;
        } & {
            [key: string]: unknown;
        };
        TurnsResponse: {
            /** @description null when no turn runs */
            runningTurnId: string | null;
            /** @description In the order in which they will run */
            waiting: components["schemas"]["WaitingTurn"][];
        };
        /** @description A numbered entry of a session's log */
        UniversalEvent: components["schemas"]["SessionStartedEvent"] | components["schemas"]["SessionUpdatedEvent"] | components["schemas"]["SessionEndedEvent"] | components["schemas"]["TurnStartedEvent"] | components["schemas"]["TurnEndedEvent"] | components["schemas"]["ItemStartedEvent"] | components["schemas"]["ItemDeltaEvent"] | components["schemas"]["ItemCompletedEvent"] | components["schemas"]["PermissionRequestedEvent"] | components["schemas"]["PermissionResolvedEvent"] | components["schemas"]["QuestionRequestedEvent"] | components["schemas"]["QuestionResolvedEvent"] | components["schemas"]["ErrorEvent"] | components["schemas"]["AgentUnparsedEvent"];
        /** @description A thing in a turn: a message, a tool call, its result, a status */
        UniversalItem: {
            item_id: string;
            native_item_id?: string | null;
            /** @description The item this one belongs to, e.g. the tool call that runs a subagent */
            parent_id?: string | null;
            kind: components["schemas"]["ItemKind"];
            role?: components["schemas"]["ItemRole"] | null;
            status: components["schemas"]["ItemStatus"];
            content: components["schemas"]["ContentPart"][];
        };
        /** @description Settings to change; absent ones stay */
        UpdateSessionRequest: {
            /** @description What it is called in lists */
            title?: string;
            /** @description null: the agent's default */
            model?: string | null;
            /** @description null: the model's default */
            variant?: string | null;
            /** @description What the agent does */
            agentMode?: string;
            permissionMode?: components["schemas"]["PermissionMode"];
            /** @description null: none */
            policy?: components["schemas"]["PermissionPolicy"] | null;
            /** @description null: requests wait for a person */
            requestTimeout?: components["schemas"]["RequestTimeout"] | null;
        };
        /** @description Tokens of one turn, or of all turns of a session */
        Usage: {
            input_tokens: number;
            output_tokens: number;
            cached_input_tokens?: number;
            cache_write_tokens?: number;
            reasoning_tokens?: number;
        };
        /** @description A message whose turn has not begun */
        WaitingTurn: {
            turnId: string;
            message: string;
            /** @description Names of the files */
            attachments: string[];
            messageId?: string | null;
            /** @description Epoch milliseconds */
            admittedAt: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
/** The operations of the HTTP API by `operationId`. */
export interface operations {
    getServerInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What this server is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServerInfo"];
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description This API as an OpenAPI 3.1 document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: {
                /** @description Say what is held in memory; needs the token */
                details?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Is the daemon up? */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthResponse"];
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    listAgents: {
        parameters: {
            query?: {
                /** @description Look up the newest version of each agent; one that is not found out soon is left out */
                newest?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List agents with what they can do */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentListResponse"];
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    installAgent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An agent's id, as `GET /v1/agents` lists it */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AgentInstallRequest"];
            };
        };
        responses: {
            /** @description Install an agent; as server-sent events with `Accept: text/event-stream` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentInstallResponse"];
                    "text/event-stream": components["schemas"]["AgentInstallEvent"];
                };
            };
            /** @description `invalid_request` (Invalid request), `unsupported_agent` (Unsupported agent) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error), `install_failed` (Install failed) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `timeout` (Timeout) */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    getAgentModes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An agent's id, as `GET /v1/agents` lists it */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List an agent's modes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentModesResponse"];
                };
            };
            /** @description `invalid_request` (Invalid request), `unsupported_agent` (Unsupported agent) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `agent_not_installed` (Agent not installed) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error), `agent_process_exited` (Agent process exited) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `stream_error` (Stream error) */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `timeout` (Timeout) */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    getAgentModels: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description An agent's id, as `GET /v1/agents` lists it */
                agent: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List an agent's models */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentModelsResponse"];
                };
            };
            /** @description `invalid_request` (Invalid request), `unsupported_agent` (Unsupported agent) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `agent_not_installed` (Agent not installed) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error), `agent_process_exited` (Agent process exited) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `stream_error` (Stream error) */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `timeout` (Timeout) */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description At most this many sessions; default all */
                limit?: number;
                /** @description `nextCursor` of the page before */
                cursor?: string;
                /** @description Only sessions with this agent */
                agent?: string;
                /** @description Only sessions with one of these, repeated or with commas between */
                status?: ("idle" | "running" | "waiting" | "ended")[];
                /** @description Only sessions that work in this directory */
                directory?: string;
                /** @description Only sessions with this text in id or title, in any case */
                search?: string;
            };
            header?: {
                /** @description The `ETag` of an earlier answer: 304 without a body if it still holds */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List sessions, newest first, ended ones included */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionListResponse"];
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    getSessionListSse: {
        parameters: {
            query?: {
                /** @description The last event id already seen, like `Last-Event-ID` */
                after?: string;
            };
            header?: {
                /** @description Resume after this event; wins over `after` */
                "Last-Event-ID"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events: `id` is where to resume, each `data` line one event of this schema */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["SessionListEvent"];
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session's id, chosen by whoever creates it */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read one session */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionInfo"];
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    createSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sending the same key again answers as the first time, with the same session */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The session's id, chosen by whoever creates it */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSessionRequest"];
            };
        };
        responses: {
            /** @description Create a session; installs the agent when it is missing */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateSessionResponse"];
                };
            };
            /** @description `invalid_request` (Invalid request), `unsupported_agent` (Unsupported agent), `mode_not_supported` (Mode not supported) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `agent_not_installed` (Agent not installed) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `session_already_exists` (Session already exists) */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error), `install_failed` (Install failed) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `timeout` (Timeout) */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    deleteSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session's id, chosen by whoever creates it */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    updateSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session's id, chosen by whoever creates it */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateSessionRequest"];
            };
        };
        responses: {
            /** @description Change settings of a session, from its next turn on */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionInfo"];
                };
            };
            /** @description `invalid_request` (Invalid request), `mode_not_supported` (Mode not supported) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `session_ended` (Session ended) */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    postMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sending the same key again answers with the first turn */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The session's id, chosen by whoever creates it */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageRequest"];
            };
        };
        responses: {
            /** @description Send a message; what happens arrives as events */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageResponse"];
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `session_ended` (Session ended), `turn_already_exists` (Turn already exists) */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests` (Too many requests) */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    postMessageStream: {
        parameters: {
            query?: {
                /** @description Add the agent's own payload to each event. Also understood as `include_raw` */
                includeRaw?: boolean;
            };
            header?: {
                /** @description Sending the same key again answers with the first turn */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The session's id, chosen by whoever creates it */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageRequest"];
            };
        };
        responses: {
            /** @description Server-sent events: `id` is where to resume, each `data` line one event of this schema */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["UniversalEvent"];
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `session_ended` (Session ended), `turn_already_exists` (Turn already exists) */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `too_many_requests` (Too many requests) */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    listTurns: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session's id, chosen by whoever creates it */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Which turn runs, and which messages wait behind it */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TurnsResponse"];
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    withdrawTurn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session's id, chosen by whoever creates it */
                sessionId: string;
                /** @description A turn's id, as the message was answered with */
                turnId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found), `turn_not_found` (Turn not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `session_ended` (Session ended), `turn_already_started` (Turn already started) */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    interruptSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session's id, chosen by whoever creates it */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `session_ended` (Session ended) */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    terminateSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session's id, chosen by whoever creates it */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    getEvents: {
        parameters: {
            query?: {
                /** @description The last sequence already seen; default 0 */
                offset?: number;
                /** @description At most this many events; default all */
                limit?: number;
                /** @description Add the agent's own payload to each event. Also understood as `include_raw` */
                includeRaw?: boolean;
            };
            header?: never;
            path: {
                /** @description The session's id, chosen by whoever creates it */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read events after an offset */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventsResponse"];
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    getEventsSse: {
        parameters: {
            query?: {
                /** @description The last sequence already seen; default 0 */
                offset?: number;
                /** @description Add the agent's own payload to each event. Also understood as `include_raw` */
                includeRaw?: boolean;
            };
            header?: {
                /** @description Resume after this sequence; wins over `offset` */
                "Last-Event-ID"?: string;
            };
            path: {
                /** @description The session's id, chosen by whoever creates it */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events: `id` is where to resume, each `data` line one event of this schema */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["UniversalEvent"];
                    "application/vnd.sandbox-agent.events": string;
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    getDiff: {
        parameters: {
            query?: {
                /** @description Compare with the start of this turn; default: the session's start */
                turn?: string;
                /** @description Compare with the start of this later turn; default: now */
                until?: string;
                /** @description Only this file or directory */
                path?: string;
                /** @description `summary` leaves out the text, `patch` answers with nothing but it; default: full */
                format?: "full" | "summary" | "patch";
            };
            header?: never;
            path: {
                /** @description The session's id, chosen by whoever creates it */
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What changed in the session's directory since it began, or since a turn began */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionDiff"];
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    replyQuestion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session's id, chosen by whoever creates it */
                sessionId: string;
                /** @description `question_id` of the `question.requested` event */
                questionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["QuestionReplyRequest"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found), `request_not_found` (Request not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `request_already_resolved` (Request already resolved) */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    rejectQuestion: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session's id, chosen by whoever creates it */
                sessionId: string;
                /** @description `question_id` of the `question.requested` event */
                questionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found), `request_not_found` (Request not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `request_already_resolved` (Request already resolved) */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    replyPermission: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session's id, chosen by whoever creates it */
                sessionId: string;
                /** @description `permission_id` of the `permission.requested` event */
                permissionId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PermissionReplyRequest"];
            };
        };
        responses: {
            /** @description Done */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found), `request_not_found` (Request not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `request_already_resolved` (Request already resolved) */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    listFsEntries: {
        parameters: {
            query?: {
                /** @description Default: the directory itself */
                path?: string;
                /** @description Resolve relative paths against this session's directory. Also understood as `session_id` */
                sessionId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description List a directory */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FsEntry"][];
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    readFsFile: {
        parameters: {
            query: {
                /** @description Absolute, or relative to the session's directory or the daemon's root */
                path: string;
                /** @description Resolve relative paths against this session's directory. Also understood as `session_id` */
                sessionId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Read a file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    writeFsFile: {
        parameters: {
            query: {
                /** @description Absolute, or relative to the session's directory or the daemon's root */
                path: string;
                /** @description Resolve relative paths against this session's directory. Also understood as `session_id` */
                sessionId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Write a file; missing directories are made */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FsWriteResponse"];
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    deleteFsEntry: {
        parameters: {
            query: {
                /** @description Absolute, or relative to the session's directory or the daemon's root */
                path: string;
                /** @description Resolve relative paths against this session's directory. Also understood as `session_id` */
                sessionId?: string;
                /** @description Also delete a directory that is not empty */
                recursive?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Delete a file or directory */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FsActionResponse"];
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    mkdirFs: {
        parameters: {
            query: {
                /** @description Absolute, or relative to the session's directory or the daemon's root */
                path: string;
                /** @description Resolve relative paths against this session's directory. Also understood as `session_id` */
                sessionId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Make a directory and its parents */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FsActionResponse"];
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    moveFs: {
        parameters: {
            query?: {
                /** @description Resolve relative paths against this session's directory. Also understood as `session_id` */
                sessionId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FsMoveRequest"];
            };
        };
        responses: {
            /** @description Move or rename a file or directory */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FsMoveResponse"];
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    statFs: {
        parameters: {
            query: {
                /** @description Absolute, or relative to the session's directory or the daemon's root */
                path: string;
                /** @description Resolve relative paths against this session's directory. Also understood as `session_id` */
                sessionId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is at a path? */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FsStat"];
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    uploadFsBatch: {
        parameters: {
            query?: {
                /** @description Default: the directory itself */
                path?: string;
                /** @description Resolve relative paths against this session's directory. Also understood as `session_id` */
                sessionId?: string;
                /** @description Also take symlinks, the permissions of directories and times from the archive */
                exact?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-tar": string;
            };
        };
        responses: {
            /** @description Unpack a tar archive into a directory */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FsUploadBatchResponse"];
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    deleteFsBatch: {
        parameters: {
            query?: {
                /** @description Default: the directory itself */
                path?: string;
                /** @description Resolve relative paths against this session's directory. Also understood as `session_id` */
                sessionId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FsDeleteBatchRequest"];
            };
        };
        responses: {
            /** @description Delete many files and directories; those that are missing are passed over */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FsDeleteBatchResponse"];
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    getFsManifest: {
        parameters: {
            query?: {
                /** @description Default: the directory itself */
                path?: string;
                /** @description Resolve relative paths against this session's directory. Also understood as `session_id` */
                sessionId?: string;
                /** @description Also what a .gitignore leaves out, and folders of dependencies */
                ignored?: boolean;
                /** @description Also files whose names say that they hold secrets */
                secrets?: boolean;
                /** @description Leave out larger files; default 100 MiB. Also understood as `max_file_bytes` */
                maxFileBytes?: number;
                /** @description Leave out what goes beyond this sum of sizes; default 2 GiB. Also understood as `max_bytes` */
                maxBytes?: number;
                /** @description Leave out what goes beyond this number; default 100,000. Also understood as `max_entries` */
                maxEntries?: number;
            };
            header?: {
                /** @description The `ETag` of an earlier manifest; answered with 304 where nothing has changed */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All that is in a directory, with hashes, a line each; and what was left out and why */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["FsManifestLine"];
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    packFs: {
        parameters: {
            query?: {
                /** @description Default: the directory itself */
                path?: string;
                /** @description Resolve relative paths against this session's directory. Also understood as `session_id` */
                sessionId?: string;
                /** @description Also what a .gitignore leaves out, and folders of dependencies */
                ignored?: boolean;
                /** @description Also files whose names say that they hold secrets */
                secrets?: boolean;
                /** @description Leave out larger files; default 100 MiB. Also understood as `max_file_bytes` */
                maxFileBytes?: number;
                /** @description Leave out what goes beyond this sum of sizes; default 2 GiB. Also understood as `max_bytes` */
                maxBytes?: number;
                /** @description Leave out what goes beyond this number; default 100,000. Also understood as `max_entries` */
                maxEntries?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FsTarRequest"];
            };
        };
        responses: {
            /** @description A tar archive of chosen paths, or of all that the manifest lists */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-tar": string;
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
    getFsChangesSse: {
        parameters: {
            query?: {
                /** @description Default: the directory itself */
                path?: string;
                /** @description Resolve relative paths against this session's directory. Also understood as `session_id` */
                sessionId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Server-sent events: `id` is where to resume, each `data` line one event of this schema */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["FsChange"];
                };
            };
            /** @description `invalid_request` (Invalid request) */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `token_invalid` (Token missing or wrong) */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `permission_denied` (Permission denied) */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `not_found` (Not found), `session_not_found` (Session not found) */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `method_not_allowed` (Method not allowed) */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `payload_too_large` (Payload too large) */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `unsupported_media_type` (Unsupported media type) */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
            /** @description `internal_error` (Internal error) */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["ProblemDetails"];
                };
            };
        };
    };
}
