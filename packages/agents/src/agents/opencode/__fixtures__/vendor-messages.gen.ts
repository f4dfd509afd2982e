// Made by `npm run gen` from resources/agent-schemas/artifacts/json-schema/opencode.json. Do not edit.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        APIError: {
            /** @enum {string} */
            name: "APIError";
            data: {
                message: string;
                statusCode?: number;
                isRetryable: boolean;
                responseHeaders?: {
                    [key: string]: string;
                };
                responseBody?: string;
                metadata?: {
                    [key: string]: string;
                };
            };
        };
        Agent: {
            name: string;
            description?: string;
            /** @enum {string} */
            mode: "subagent" | "primary" | "all";
            native?: boolean;
            hidden?: boolean;
            topP?: number;
            temperature?: number;
            color?: string;
            permission: components["schemas"]["PermissionRuleset"];
            model?: {
                modelID: string;
                providerID: string;
            };
            variant?: string;
            prompt?: string;
            options: Record<string, never>;
            steps?: number;
        };
        AgentConfig: {
            model?: string;
            variant?: string;
            temperature?: number;
            top_p?: number;
            prompt?: string;
            tools?: {
                [key: string]: boolean;
            };
            disable?: boolean;
            description?: string;
            /** @enum {string} */
            mode?: "subagent" | "primary" | "all";
            hidden?: boolean;
            options?: Record<string, never>;
            color?: string | ("primary" | "secondary" | "accent" | "success" | "warning" | "error" | "info");
            steps?: number;
            maxSteps?: number;
            permission?: components["schemas"]["PermissionConfig"];
        } & {
            [key: string]: unknown;
        };
        AgentPart: {
            id: string;
            sessionID: string;
            messageID: string;
            /** @enum {string} */
            type: "agent";
            name: string;
            source?: {
                value: string;
                start: number;
                end: number;
            };
        };
        AssistantMessage: {
            id: string;
            sessionID: string;
            /** @enum {string} */
            role: "assistant";
            time: {
                created: number;
                completed?: number;
            };
            error?: components["schemas"]["ProviderAuthError"] | components["schemas"]["UnknownError"] | components["schemas"]["MessageOutputLengthError"] | components["schemas"]["MessageAbortedError"] | components["schemas"]["StructuredOutputError"] | components["schemas"]["ContextOverflowError"] | components["schemas"]["ContentFilterError"] | components["schemas"]["APIError"];
            parentID: string;
            modelID: string;
            providerID: string;
            mode: string;
            agent: string;
            path: {
                cwd: string;
                root: string;
            };
            summary?: boolean;
            cost: number;
            tokens: {
                total?: number;
                input: number;
                output: number;
                reasoning: number;
                cache: {
                    read: number;
                    write: number;
                };
            };
            structured?: unknown;
            variant?: string;
            finish?: string;
        };
        AttachmentConfig: {
            image?: components["schemas"]["ImageAttachmentConfig"];
        };
        CompactionPart: {
            id: string;
            sessionID: string;
            messageID: string;
            /** @enum {string} */
            type: "compaction";
            auto: boolean;
            overflow?: boolean;
            tail_start_id?: string;
        };
        Config: {
            $schema?: string;
            shell?: string;
            logLevel?: components["schemas"]["LogLevel"];
            server?: components["schemas"]["ServerConfig"];
            command?: {
                [key: string]: {
                    template: string;
                    description?: string;
                    agent?: string;
                    model?: string;
                    variant?: string;
                    subtask?: boolean;
                };
            };
            skills?: {
                paths?: string[];
                urls?: string[];
            };
            references?: {
                [key: string]: string | components["schemas"]["ConfigV2ReferenceGit"] | components["schemas"]["ConfigV2ReferenceLocal"];
            };
            reference?: {
                [key: string]: string | components["schemas"]["ConfigV2ReferenceGit"] | components["schemas"]["ConfigV2ReferenceLocal"];
            };
            watcher?: {
                ignore?: string[];
            };
            snapshot?: boolean;
            plugin?: (string | [
                string,
                Record<string, never>
            ])[];
            /** @enum {string} */
            share?: "manual" | "auto" | "disabled";
            autoshare?: boolean;
            autoupdate?: boolean | "notify";
            disabled_providers?: string[];
            enabled_providers?: string[];
            model?: string;
            small_model?: string;
            default_agent?: string;
            subagent_depth?: number;
            username?: string;
            mode?: {
                build?: components["schemas"]["AgentConfig"];
                plan?: components["schemas"]["AgentConfig"];
            } & {
                [key: string]: components["schemas"]["AgentConfig"];
            };
            agent?: {
                plan?: components["schemas"]["AgentConfig"];
                build?: components["schemas"]["AgentConfig"];
                general?: components["schemas"]["AgentConfig"];
                explore?: components["schemas"]["AgentConfig"];
                title?: components["schemas"]["AgentConfig"];
                summary?: components["schemas"]["AgentConfig"];
                compaction?: components["schemas"]["AgentConfig"];
            } & {
                [key: string]: components["schemas"]["AgentConfig"];
            };
            provider?: {
                [key: string]: components["schemas"]["ProviderConfig"];
            };
            mcp?: {
                [key: string]: components["schemas"]["McpLocalConfig"] | components["schemas"]["McpRemoteConfig"] | {
                    enabled: boolean;
                };
            };
            formatter?: boolean | {
                [key: string]: {
                    disabled?: boolean;
                    command?: string[];
                    environment?: {
                        [key: string]: string;
                    };
                    extensions?: string[];
                };
            };
            lsp?: boolean | {
                [key: string]: {
                    /** @enum {boolean} */
                    disabled: true;
                } | {
                    command: string[];
                    extensions?: string[];
                    disabled?: boolean;
                    env?: {
                        [key: string]: string;
                    };
                    initialization?: Record<string, never>;
                };
            };
            instructions?: string[];
            layout?: components["schemas"]["LayoutConfig"];
            permission?: components["schemas"]["PermissionConfig"];
            tools?: {
                [key: string]: boolean;
            };
            attachment?: components["schemas"]["AttachmentConfig"];
            enterprise?: {
                url?: string;
            };
            tool_output?: {
                max_lines?: number;
                max_bytes?: number;
            };
            compaction?: {
                auto?: boolean;
                prune?: boolean;
                tail_turns?: number;
                preserve_recent_tokens?: number;
                reserved?: number;
            };
            experimental?: {
                disable_paste_summary?: boolean;
                batch_tool?: boolean;
                openTelemetry?: boolean;
                primary_tools?: string[];
                continue_loop_on_deny?: boolean;
                mcp_timeout?: number;
                policies?: components["schemas"]["ConfigV2ExperimentalPolicy"][];
            };
        };
        ConfigV2ExperimentalPolicy: {
            /** @enum {string} */
            action: "provider.use";
            effect: components["schemas"]["PolicyEffect"];
            resource: string;
        };
        ConfigV2ReferenceGit: {
            repository: string;
            branch?: string;
            description?: string;
            hidden?: boolean;
        };
        ConfigV2ReferenceLocal: {
            path: string;
            description?: string;
            hidden?: boolean;
        };
        ContentFilterError: {
            /** @enum {string} */
            name: "ContentFilterError";
            data: {
                message: string;
            };
        };
        ContextOverflowError: {
            /** @enum {string} */
            name: "ContextOverflowError";
            data: {
                message: string;
                responseBody?: string;
            };
        };
        FilePart: {
            id: string;
            sessionID: string;
            messageID: string;
            /** @enum {string} */
            type: "file";
            mime: string;
            filename?: string;
            url: string;
            source?: components["schemas"]["FilePartSource"];
        };
        FilePartSource: components["schemas"]["FileSource"] | components["schemas"]["SymbolSource"] | components["schemas"]["ResourceSource"];
        FilePartSourceText: {
            value: string;
            start: number;
            end: number;
        };
        FileSource: {
            text: components["schemas"]["FilePartSourceText"];
            /** @enum {string} */
            type: "file";
            path: string;
        };
        ImageAttachmentConfig: {
            auto_resize?: boolean;
            max_width?: number;
            max_height?: number;
            max_base64_bytes?: number;
        };
        JSONSchema: Record<string, never>;
        /** @enum {string} */
        LayoutConfig: "auto" | "stretch";
        /** @enum {string} */
        LogLevel: "DEBUG" | "INFO" | "WARN" | "ERROR";
        MCPStatus: components["schemas"]["MCPStatusConnected"] | components["schemas"]["MCPStatusDisabled"] | components["schemas"]["MCPStatusFailed"] | components["schemas"]["MCPStatusNeedsAuth"] | components["schemas"]["MCPStatusNeedsClientRegistration"];
        MCPStatusConnected: {
            /** @enum {string} */
            status: "connected";
        };
        MCPStatusDisabled: {
            /** @enum {string} */
            status: "disabled";
        };
        MCPStatusFailed: {
            /** @enum {string} */
            status: "failed";
            error: string;
        };
        MCPStatusNeedsAuth: {
            /** @enum {string} */
            status: "needs_auth";
        };
        MCPStatusNeedsClientRegistration: {
            /** @enum {string} */
            status: "needs_client_registration";
            error: string;
        };
        McpLocalConfig: {
            /** @enum {string} */
            type: "local";
            command: string[];
            cwd?: string;
            environment?: {
                [key: string]: string;
            };
            enabled?: boolean;
            timeout?: number;
        };
        McpOAuthConfig: {
            clientId?: string;
            clientSecret?: string;
            scope?: string;
            callbackPort?: number;
            redirectUri?: string;
        };
        McpRemoteConfig: {
            /** @enum {string} */
            type: "remote";
            url: string;
            enabled?: boolean;
            headers?: {
                [key: string]: string;
            };
            oauth?: components["schemas"]["McpOAuthConfig"] | false;
            timeout?: number;
        };
        Message: components["schemas"]["UserMessage"] | components["schemas"]["AssistantMessage"];
        MessageAbortedError: {
            /** @enum {string} */
            name: "MessageAbortedError";
            data: {
                message: string;
            };
        };
        MessageOutputLengthError: {
            /** @enum {string} */
            name: "MessageOutputLengthError";
            data: Record<string, never>;
        };
        Model: {
            id: string;
            providerID: string;
            api: {
                id: string;
                url: string;
                npm: string;
            };
            name: string;
            family?: string;
            capabilities: {
                temperature: boolean;
                reasoning: boolean;
                attachment: boolean;
                toolcall: boolean;
                input: {
                    text: boolean;
                    audio: boolean;
                    image: boolean;
                    video: boolean;
                    pdf: boolean;
                };
                output: {
                    text: boolean;
                    audio: boolean;
                    image: boolean;
                    video: boolean;
                    pdf: boolean;
                };
                interleaved: boolean | {
                    field: ("reasoning" | "reasoning_content" | "reasoning_text") | string;
                };
            };
            cost: {
                input: number;
                output: number;
                cache: {
                    read: number;
                    write: number;
                };
                tiers?: {
                    input: number;
                    output: number;
                    cache: {
                        read: number;
                        write: number;
                    };
                    tier: {
                        /** @enum {string} */
                        type: "context";
                        size: number;
                    };
                }[];
                experimentalOver200K?: {
                    input: number;
                    output: number;
                    cache: {
                        read: number;
                        write: number;
                    };
                };
            };
            limit: {
                context: number;
                input?: number;
                output: number;
            };
            /** @enum {string} */
            status: "alpha" | "beta" | "deprecated" | "active";
            options: Record<string, never>;
            headers: {
                [key: string]: string;
            };
            release_date: string;
            variants?: {
                [key: string]: Record<string, never>;
            };
        };
        OutputFormat: components["schemas"]["OutputFormatText"] | components["schemas"]["OutputFormatJsonSchema"];
        OutputFormatJsonSchema: {
            /** @enum {string} */
            type: "json_schema";
            schema: components["schemas"]["JSONSchema"];
            retryCount?: number;
        };
        OutputFormatText: {
            /** @enum {string} */
            type: "text";
        };
        Part: components["schemas"]["TextPart"] | components["schemas"]["SubtaskPart"] | components["schemas"]["ReasoningPart"] | components["schemas"]["FilePart"] | components["schemas"]["ToolPart"] | components["schemas"]["StepStartPart"] | components["schemas"]["StepFinishPart"] | components["schemas"]["SnapshotPart"] | components["schemas"]["PatchPart"] | components["schemas"]["AgentPart"] | components["schemas"]["RetryPart"] | components["schemas"]["CompactionPart"];
        PatchPart: {
            id: string;
            sessionID: string;
            messageID: string;
            /** @enum {string} */
            type: "patch";
            hash: string;
            files: string[];
        };
        /** @enum {string} */
        PermissionAction: "allow" | "deny" | "ask";
        /** @enum {string} */
        PermissionActionConfig: "ask" | "allow" | "deny";
        PermissionConfig: components["schemas"]["PermissionActionConfig"] | ({
            read?: components["schemas"]["PermissionRuleConfig"];
            edit?: components["schemas"]["PermissionRuleConfig"];
            glob?: components["schemas"]["PermissionRuleConfig"];
            grep?: components["schemas"]["PermissionRuleConfig"];
            list?: components["schemas"]["PermissionRuleConfig"];
            bash?: components["schemas"]["PermissionRuleConfig"];
            task?: components["schemas"]["PermissionRuleConfig"];
            external_directory?: components["schemas"]["PermissionRuleConfig"];
            todowrite?: components["schemas"]["PermissionActionConfig"];
            question?: components["schemas"]["PermissionActionConfig"];
            webfetch?: components["schemas"]["PermissionActionConfig"];
            websearch?: components["schemas"]["PermissionActionConfig"];
            lsp?: components["schemas"]["PermissionRuleConfig"];
            doom_loop?: components["schemas"]["PermissionActionConfig"];
            skill?: components["schemas"]["PermissionRuleConfig"];
        } & {
            [key: string]: components["schemas"]["PermissionRuleConfig"];
        });
        PermissionObjectConfig: {
            [key: string]: components["schemas"]["PermissionActionConfig"];
        };
        PermissionRule: {
            permission: string;
            pattern: string;
            action: components["schemas"]["PermissionAction"];
        };
        PermissionRuleConfig: components["schemas"]["PermissionActionConfig"] | components["schemas"]["PermissionObjectConfig"];
        PermissionRuleset: components["schemas"]["PermissionRule"][];
        /** @enum {string} */
        PolicyEffect: "allow" | "deny";
        Provider: {
            id: string;
            name: string;
            /** @enum {string} */
            source: "env" | "config" | "custom" | "api";
            env: string[];
            key?: string;
            options: Record<string, never>;
            models: {
                [key: string]: components["schemas"]["Model"];
            };
        };
        ProviderAuthError: {
            /** @enum {string} */
            name: "ProviderAuthError";
            data: {
                providerID: string;
                message: string;
            };
        };
        ProviderConfig: {
            api?: string;
            name?: string;
            env?: string[];
            id?: string;
            npm?: string;
            whitelist?: string[];
            blacklist?: string[];
            options?: {
                apiKey?: string;
                baseURL?: string;
                enterpriseUrl?: string;
                setCacheKey?: boolean;
                timeout?: number | false;
                headerTimeout?: number | false;
                chunkTimeout?: number | false;
            } & {
                [key: string]: unknown;
            };
            models?: {
                [key: string]: {
                    id?: string;
                    name?: string;
                    family?: string;
                    release_date?: string;
                    attachment?: boolean;
                    reasoning?: boolean;
                    temperature?: boolean;
                    tool_call?: boolean;
                    interleaved?: boolean | ("reasoning" | "reasoning_content" | "reasoning_text") | string | {
                        field: ("reasoning" | "reasoning_content" | "reasoning_text") | string;
                    };
                    cost?: {
                        input: number;
                        output: number;
                        cache_read?: number;
                        cache_write?: number;
                        context_over_200k?: {
                            input: number;
                            output: number;
                            cache_read?: number;
                            cache_write?: number;
                        };
                    };
                    limit?: {
                        context: number;
                        input?: number;
                        output: number;
                    };
                    modalities?: {
                        input?: ("text" | "audio" | "image" | "video" | "pdf")[];
                        output?: ("text" | "audio" | "image" | "video" | "pdf")[];
                    };
                    experimental?: boolean;
                    /** @enum {string} */
                    status?: "alpha" | "beta" | "deprecated" | "active";
                    provider?: {
                        npm?: string;
                        api?: string;
                    };
                    options?: Record<string, never>;
                    headers?: {
                        [key: string]: string;
                    };
                    variants?: {
                        [key: string]: {
                            disabled?: boolean;
                        } & {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        QuestionAnswer: string[];
        QuestionInfo: {
            question: string;
            header: string;
            options: components["schemas"]["QuestionOption"][];
            multiple?: boolean;
            custom?: boolean;
        };
        QuestionOption: {
            label: string;
            description: string;
        };
        QuestionTool: {
            messageID: string;
            callID: string;
        };
        Range: {
            start: {
                line: number;
                character: number;
            };
            end: {
                line: number;
                character: number;
            };
        };
        ReasoningPart: {
            id: string;
            sessionID: string;
            messageID: string;
            /** @enum {string} */
            type: "reasoning";
            text: string;
            metadata?: Record<string, never>;
            time: {
                start: number;
                end?: number;
            };
        };
        ResourceSource: {
            text: components["schemas"]["FilePartSourceText"];
            /** @enum {string} */
            type: "resource";
            clientName: string;
            uri: string;
        };
        RetryPart: {
            id: string;
            sessionID: string;
            messageID: string;
            /** @enum {string} */
            type: "retry";
            attempt: number;
            error: components["schemas"]["APIError"];
            time: {
                created: number;
            };
        };
        ServerConfig: {
            port?: number;
            hostname?: string;
            mdns?: boolean;
            mdnsDomain?: string;
            cors?: string[];
        };
        Session: {
            id: string;
            slug: string;
            projectID: string;
            workspaceID?: string;
            directory: string;
            path?: string;
            parentID?: string;
            summary?: {
                additions: number;
                deletions: number;
                files: number;
                diffs?: components["schemas"]["SnapshotFileDiff"][];
            };
            cost?: number;
            tokens?: {
                input: number;
                output: number;
                reasoning: number;
                cache: {
                    read: number;
                    write: number;
                };
            };
            share?: {
                url: string;
            };
            title: string;
            agent?: string;
            model?: {
                id: string;
                providerID: string;
                variant?: string;
            };
            version: string;
            metadata?: Record<string, never>;
            time: {
                created: number;
                updated: number;
                compacting?: number;
                archived?: number;
            };
            permission?: components["schemas"]["PermissionRuleset"];
            revert?: {
                messageID: string;
                partID?: string;
                snapshot?: string;
                diff?: string;
            };
        };
        SessionStatus: {
            /** @enum {string} */
            type: "idle";
        } | {
            /** @enum {string} */
            type: "retry";
            attempt: number;
            message: string;
            action?: {
                reason: string;
                provider: string;
                title: string;
                message: string;
                label: string;
                link?: string;
            };
            next: number;
        } | {
            /** @enum {string} */
            type: "busy";
        };
        SnapshotFileDiff: {
            file?: string;
            patch?: string;
            additions: number;
            deletions: number;
            /** @enum {string} */
            status?: "added" | "deleted" | "modified";
        };
        SnapshotPart: {
            id: string;
            sessionID: string;
            messageID: string;
            /** @enum {string} */
            type: "snapshot";
            snapshot: string;
        };
        StepFinishPart: {
            id: string;
            sessionID: string;
            messageID: string;
            /** @enum {string} */
            type: "step-finish";
            reason: string;
            snapshot?: string;
            cost: number;
            tokens: {
                total?: number;
                input: number;
                output: number;
                reasoning: number;
                cache: {
                    read: number;
                    write: number;
                };
            };
        };
        StepStartPart: {
            id: string;
            sessionID: string;
            messageID: string;
            /** @enum {string} */
            type: "step-start";
            snapshot?: string;
        };
        StructuredOutputError: {
            /** @enum {string} */
            name: "StructuredOutputError";
            data: {
                message: string;
                retries: number;
            };
        };
        SubtaskPart: {
            id: string;
            sessionID: string;
            messageID: string;
            /** @enum {string} */
            type: "subtask";
            prompt: string;
            description: string;
            agent: string;
            model?: {
                providerID: string;
                modelID: string;
            };
            command?: string;
        };
        SymbolSource: {
            text: components["schemas"]["FilePartSourceText"];
            /** @enum {string} */
            type: "symbol";
            path: string;
            range: components["schemas"]["Range"];
            name: string;
            kind: number;
        };
        TextPart: {
            id: string;
            sessionID: string;
            messageID: string;
            /** @enum {string} */
            type: "text";
            text: string;
            synthetic?: boolean;
            ignored?: boolean;
            time?: {
                start: number;
                end?: number;
            };
            metadata?: Record<string, never>;
        };
        Todo: {
            content: string;
            status: string;
            priority: string;
        };
        ToolPart: {
            id: string;
            sessionID: string;
            messageID: string;
            /** @enum {string} */
            type: "tool";
            callID: string;
            tool: string;
            state: components["schemas"]["ToolState"];
            metadata?: Record<string, never>;
        };
        ToolState: components["schemas"]["ToolStatePending"] | components["schemas"]["ToolStateRunning"] | components["schemas"]["ToolStateCompleted"] | components["schemas"]["ToolStateError"];
        ToolStateCompleted: {
            /** @enum {string} */
            status: "completed";
            input: Record<string, never>;
            output: string;
            title: string;
            metadata: Record<string, never>;
            time: {
                start: number;
                end: number;
                compacted?: number;
            };
            attachments?: components["schemas"]["FilePart"][];
        };
        ToolStateError: {
            /** @enum {string} */
            status: "error";
            input: Record<string, never>;
            error: string;
            metadata?: Record<string, never>;
            time: {
                start: number;
                end: number;
            };
        };
        ToolStatePending: {
            /** @enum {string} */
            status: "pending";
            input: Record<string, never>;
            raw: string;
        };
        ToolStateRunning: {
            /** @enum {string} */
            status: "running";
            input: Record<string, never>;
            title?: string;
            metadata?: Record<string, never>;
            time: {
                start: number;
            };
        };
        UnknownError: {
            /** @enum {string} */
            name: "UnknownError";
            data: {
                message: string;
                ref?: string;
            };
        };
        UserMessage: {
            id: string;
            sessionID: string;
            /** @enum {string} */
            role: "user";
            time: {
                created: number;
            };
            format?: components["schemas"]["OutputFormat"];
            summary?: {
                title?: string;
                body?: string;
                diffs: components["schemas"]["SnapshotFileDiff"][];
            };
            agent: string;
            model: {
                providerID: string;
                modelID: string;
                variant?: string;
            };
            system?: string;
            tools?: {
                [key: string]: boolean;
            };
        };
        "message.part.delta": {
            id: string;
            /** @enum {string} */
            type: "message.part.delta";
            properties: {
                sessionID: string;
                messageID: string;
                partID: string;
                field: string;
                delta: string;
            };
        };
        "message.part.updated": {
            id: string;
            /** @enum {string} */
            type: "message.part.updated";
            properties: {
                sessionID: string;
                part: components["schemas"]["Part"];
                time: number;
            };
        };
        "message.updated": {
            id: string;
            /** @enum {string} */
            type: "message.updated";
            properties: {
                sessionID: string;
                info: components["schemas"]["Message"];
            };
        };
        "permission.asked": {
            id: string;
            /** @enum {string} */
            type: "permission.asked";
            properties: {
                id: string;
                sessionID: string;
                permission: string;
                patterns: string[];
                metadata: Record<string, never>;
                always: string[];
                tool?: {
                    messageID: string;
                    callID: string;
                };
            };
        };
        "permission.replied": {
            id: string;
            /** @enum {string} */
            type: "permission.replied";
            properties: {
                sessionID: string;
                requestID: string;
                /** @enum {string} */
                reply: "once" | "always" | "reject";
            };
        };
        "question.asked": {
            id: string;
            /** @enum {string} */
            type: "question.asked";
            properties: {
                id: string;
                sessionID: string;
                questions: components["schemas"]["QuestionInfo"][];
                tool?: components["schemas"]["QuestionTool"];
            };
        };
        "question.rejected": {
            id: string;
            /** @enum {string} */
            type: "question.rejected";
            properties: {
                sessionID: string;
                requestID: string;
            };
        };
        "question.replied": {
            id: string;
            /** @enum {string} */
            type: "question.replied";
            properties: {
                sessionID: string;
                requestID: string;
                answers: components["schemas"]["QuestionAnswer"][];
            };
        };
        "reply GET /agent": components["schemas"]["Agent"][];
        "reply GET /config": components["schemas"]["Config"];
        "reply GET /config/providers": {
            providers: components["schemas"]["Provider"][];
            default: {
                [key: string]: string;
            };
        };
        "reply GET /global/health": {
            /** @enum {boolean} */
            healthy: true;
            version: string;
        };
        "reply GET /mcp": {
            [key: string]: components["schemas"]["MCPStatus"];
        };
        "reply GET /session/status": {
            [key: string]: components["schemas"]["SessionStatus"];
        };
        "reply GET /session/{}": components["schemas"]["Session"];
        "reply POST /instance/dispose": boolean;
        "reply POST /mcp": {
            [key: string]: components["schemas"]["MCPStatus"];
        };
        "reply POST /mcp/{}/disconnect": boolean;
        "reply POST /session": components["schemas"]["Session"];
        "session.compacted": {
            id: string;
            /** @enum {string} */
            type: "session.compacted";
            properties: {
                sessionID: string;
            };
        };
        "session.error": {
            id: string;
            /** @enum {string} */
            type: "session.error";
            properties: {
                sessionID?: string;
                error?: components["schemas"]["ProviderAuthError"] | components["schemas"]["UnknownError"] | components["schemas"]["MessageOutputLengthError"] | components["schemas"]["MessageAbortedError"] | components["schemas"]["StructuredOutputError"] | components["schemas"]["ContextOverflowError"] | components["schemas"]["ContentFilterError"] | components["schemas"]["APIError"];
            };
        };
        "session.idle": {
            id: string;
            /** @enum {string} */
            type: "session.idle";
            properties: {
                sessionID: string;
            };
        };
        "session.status": {
            id: string;
            /** @enum {string} */
            type: "session.status";
            properties: {
                sessionID: string;
                status: components["schemas"]["SessionStatus"];
            };
        };
        "todo.updated": {
            id: string;
            /** @enum {string} */
            type: "todo.updated";
            properties: {
                sessionID: string;
                todos: components["schemas"]["Todo"][];
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
