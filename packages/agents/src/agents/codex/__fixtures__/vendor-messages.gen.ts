// Made by `npm run gen` from resources/agent-schemas/artifacts/json-schema/codex.json. Do not edit.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AbsolutePathBuf: string;
        AccountRateLimitsUpdatedNotification: {
            rateLimits: components["schemas"]["RateLimitSnapshot"];
        };
        ActivePermissionProfile: {
            extends?: string | null;
            id: string;
        };
        AdditionalFileSystemPermissions: {
            entries?: components["schemas"]["FileSystemSandboxEntry"][] | null;
            globScanMaxDepth?: number | null;
            read?: components["schemas"]["LegacyAppPathString"][] | null;
            write?: components["schemas"]["LegacyAppPathString"][] | null;
        };
        AdditionalNetworkPermissions: {
            enabled?: boolean | null;
        };
        AdditionalPermissionProfile: {
            fileSystem?: components["schemas"]["AdditionalFileSystemPermissions"] | null;
            network?: components["schemas"]["AdditionalNetworkPermissions"] | null;
        };
        /** @enum {string} */
        AgentMessageDelivery: "async";
        AgentMessageDeltaNotification: {
            delta: string;
            itemId: string;
            threadId: string;
            turnId: string;
        };
        AgentMessageDisplay: {
            action: string;
            blockType?: string | null;
            checkTrustedContacts?: boolean | null;
            cyberTrustedAccess?: boolean | null;
        };
        AgentMessageModeration: {
            display?: components["schemas"]["AgentMessageDisplay"] | null;
            moderated: boolean;
        };
        AgentPath: string;
        /** @enum {string} */
        AllowDenyRequirement: "allow" | "deny";
        AnalyticsConfig: {
            enabled?: boolean | null;
        } & {
            [key: string]: unknown;
        };
        /** @enum {string} */
        AppToolApproval: "auto" | "prompt" | "writes" | "approve";
        /** @enum {string} */
        ApprovalsReviewer: "user" | "auto_review" | "guardian_subagent";
        AppsConfig: {
            _default?: components["schemas"]["AppsDefaultConfig"] | null;
        };
        AppsDefaultConfig: {
            approvals_reviewer?: components["schemas"]["ApprovalsReviewer"] | null;
            default_tools_approval_mode?: components["schemas"]["AppToolApproval"] | null;
            destructive_enabled?: boolean;
            enabled?: boolean;
            open_world_enabled?: boolean;
        };
        AskForApproval: ("untrusted" | "on-request" | "never") | {
            granular: {
                mcp_elicitations: boolean;
                request_permissions?: boolean;
                rules: boolean;
                sandbox_approval: boolean;
                skill_approval?: boolean;
            };
        };
        AsyncUserInputQuestion: {
            options?: string[] | null;
            title: string;
        };
        AutoCompactTokenLimitScope: "total" | "body_after_prefix";
        BrowserUseConfig: {
            allow_history_access?: boolean | null;
            default_origin_policy?: components["schemas"]["BrowserUseOriginPolicyConfig"] | null;
            origins?: {
                [key: string]: components["schemas"]["BrowserUseOriginPolicyConfig"];
            } | null;
        };
        BrowserUseOriginPolicyConfig: {
            access?: components["schemas"]["AllowDenyRequirement"] | null;
            downloads?: components["schemas"]["AllowDenyRequirement"] | null;
            full_cdp_access?: components["schemas"]["AllowDenyRequirement"] | null;
            uploads?: components["schemas"]["AllowDenyRequirement"] | null;
        };
        ByteRange: {
            end: number;
            start: number;
        };
        CodexErrorInfo: ("contextWindowExceeded" | "sessionBudgetExceeded" | "usageLimitExceeded" | "rateLimitExceeded" | "flexUnavailable" | "serverOverloaded" | "modelNotFound" | "policyCapacityUnavailable" | "cyberPolicy" | "misalignmentPolicyViolation" | "tooManyDenials" | "internalServerError" | "unauthorized" | "badRequest" | "threadRollbackFailed" | "sandboxError" | "other") | "inferenceHookDenied" | {
            httpConnectionFailed: {
                httpStatusCode?: number | null;
            };
        } | {
            responseStreamConnectionFailed: {
                httpStatusCode?: number | null;
            };
        } | {
            responseStreamDisconnected: {
                httpStatusCode?: number | null;
            };
        } | {
            responseTooManyFailedAttempts: {
                httpStatusCode?: number | null;
            };
        } | {
            activeTurnNotSteerable: {
                turnKind: components["schemas"]["NonSteerableTurnKind"];
            };
        } | (string | Record<string, never>);
        CollabAgentState: {
            message?: string | null;
            status: components["schemas"]["CollabAgentStatus"];
        };
        /** @enum {string} */
        CollabAgentStatus: "pendingInit" | "running" | "interrupted" | "completed" | "errored" | "shutdown" | "notFound";
        /** @enum {string} */
        CollabAgentTool: "spawnAgent" | "sendInput" | "resumeAgent" | "wait" | "closeAgent" | "sendMessage" | "followupTask" | "interruptAgent" | "listAgents";
        /** @enum {string} */
        CollabAgentToolCallStatus: "inProgress" | "completed" | "failed" | "interrupted";
        CollaborationMode: {
            mode: components["schemas"]["ModeKind"];
            settings: components["schemas"]["Settings"];
        };
        CommandAction: {
            command: string;
            name: string;
            path: components["schemas"]["LegacyAppPathString"];
            /** @enum {string} */
            type: "read";
        } | {
            command: string;
            path?: string | null;
            /** @enum {string} */
            type: "listFiles";
        } | {
            command: string;
            path?: string | null;
            query?: string | null;
            /** @enum {string} */
            type: "search";
        } | {
            command: string;
            /** @enum {string} */
            type: "unknown";
        };
        CommandExecutionApprovalDecision: "accept" | "acceptForSession" | {
            acceptWithExecpolicyAmendment: {
                execpolicy_amendment: string[];
            };
        } | {
            applyNetworkPolicyAmendment: {
                network_policy_amendment: components["schemas"]["NetworkPolicyAmendment"];
            };
        } | "decline" | "cancel";
        CommandExecutionApprovalKind: ("command" | "writeStdin") | "humanCommand";
        CommandExecutionOutputDeltaNotification: {
            delta: string;
            itemId: string;
            threadId: string;
            turnId: string;
        };
        CommandExecutionRequestApprovalParams: {
            additionalPermissions?: components["schemas"]["AdditionalPermissionProfile"] | null;
            approvalId?: string | null;
            availableDecisions?: components["schemas"]["CommandExecutionApprovalDecision"][] | null;
            command?: string | null;
            commandActions?: components["schemas"]["CommandAction"][] | null;
            cwd?: components["schemas"]["LegacyAppPathString"] | null;
            environmentId?: string | null;
            itemId: string;
            kind?: components["schemas"]["CommandExecutionApprovalKind"];
            networkApprovalContext?: components["schemas"]["NetworkApprovalContext"] | null;
            proposedExecpolicyAmendment?: string[] | null;
            proposedNetworkPolicyAmendments?: components["schemas"]["NetworkPolicyAmendment"][] | null;
            reason?: string | null;
            startedAtMs: number;
            threadId: string;
            turnId: string;
        };
        /** @enum {string} */
        CommandExecutionSource: "agent" | "userShell" | "unifiedExecStartup" | "unifiedExecInteraction";
        /** @enum {string} */
        CommandExecutionStatus: "inProgress" | "completed" | "failed" | "declined";
        ComputerUseConfig: {
            default_app_access?: components["schemas"]["AllowDenyRequirement"] | null;
            macos?: components["schemas"]["ComputerUseMacosConfig"] | null;
            windows?: components["schemas"]["ComputerUseWindowsConfig"] | null;
        };
        ComputerUseMacosConfig: {
            bundle_ids?: {
                [key: string]: components["schemas"]["AllowDenyRequirement"];
            } | null;
        };
        ComputerUseWindowsConfig: {
            aumids?: {
                [key: string]: components["schemas"]["AllowDenyRequirement"];
            } | null;
            exes?: components["schemas"]["ComputerUseWindowsExeConfig"][] | null;
        };
        ComputerUseWindowsExeConfig: {
            access: components["schemas"]["AllowDenyRequirement"];
            binary_name?: string | null;
            product_name: string;
            publisher_name: string;
        };
        Config: {
            analytics?: components["schemas"]["AnalyticsConfig"] | null;
            approval_policy?: components["schemas"]["AskForApproval"] | null;
            approvals_reviewer?: components["schemas"]["ApprovalsReviewer"] | null;
            apps?: components["schemas"]["AppsConfig"] | null;
            browser_use?: components["schemas"]["BrowserUseConfig"] | null;
            client_search_provider?: components["schemas"]["WebSearchProvider"] | null;
            compact_prompt?: string | null;
            computer_use?: components["schemas"]["ComputerUseConfig"] | null;
            desktop?: {
                [key: string]: unknown;
            } | null;
            developer_instructions?: string | null;
            forced_chatgpt_workspace_id?: components["schemas"]["ForcedChatgptWorkspaceIds"] | null;
            forced_login_method?: components["schemas"]["ForcedLoginMethod"] | null;
            instructions?: string | null;
            model?: string | null;
            model_auto_compact_token_limit?: number | null;
            model_auto_compact_token_limit_scope?: components["schemas"]["AutoCompactTokenLimitScope"] | null;
            model_context_window?: number | null;
            model_provider?: string | null;
            model_reasoning_effort?: components["schemas"]["ReasoningEffort"] | null;
            model_reasoning_summary?: components["schemas"]["ReasoningSummary"] | null;
            model_verbosity?: components["schemas"]["Verbosity"] | null;
            review_model?: string | null;
            sandbox_mode?: components["schemas"]["SandboxMode"] | null;
            sandbox_workspace_write?: components["schemas"]["SandboxWorkspaceWrite"] | null;
            service_tier?: string | null;
            tools?: components["schemas"]["ToolsV2"] | null;
            web_search?: components["schemas"]["WebSearchMode"] | null;
        } & {
            [key: string]: unknown;
        };
        ConfigLayer: {
            config: unknown;
            disabledReason?: string | null;
            name: components["schemas"]["ConfigLayerSource"];
            version: string;
        };
        ConfigLayerMetadata: {
            name: components["schemas"]["ConfigLayerSource"];
            version: string;
        };
        ConfigLayerSource: {
            file: components["schemas"]["AbsolutePathBuf"];
            /** @enum {string} */
            type: "packagedDefaults";
        } | {
            domain: string;
            key: string;
            /** @enum {string} */
            type: "mdm";
        } | {
            file: components["schemas"]["AbsolutePathBuf"];
            /** @enum {string} */
            type: "system";
        } | {
            id: string;
            name: string;
            /** @enum {string} */
            type: "enterpriseManaged";
        } | {
            file: components["schemas"]["AbsolutePathBuf"];
            profile?: string | null;
            /** @enum {string} */
            type: "user";
        } | {
            dotCodexFolder: components["schemas"]["AbsolutePathBuf"];
            /** @enum {string} */
            type: "project";
        } | {
            /** @enum {string} */
            type: "sessionFlags";
        } | {
            file: components["schemas"]["AbsolutePathBuf"];
            /** @enum {string} */
            type: "legacyManagedConfigTomlFromFile";
        } | {
            /** @enum {string} */
            type: "legacyManagedConfigTomlFromMdm";
        };
        ConfigWarningNotification: {
            details?: string | null;
            path?: string | null;
            range?: components["schemas"]["TextRange"] | null;
            summary: string;
        };
        CreditsSnapshot: {
            balance?: string | null;
            hasCredits: boolean;
            unlimited: boolean;
        };
        CurrentTimeReadParams: {
            threadId: string;
        };
        /** @enum {string} */
        CyberAccessProgram: "standard" | "daybreakBlue" | "daybreakRed";
        DeprecationNoticeNotification: {
            details?: string | null;
            summary: string;
        };
        DynamicToolCallOutputContentItem: {
            text: string;
            /** @enum {string} */
            type: "inputText";
        } | {
            imageUrl: string;
            /** @enum {string} */
            type: "inputImage";
        } | {
            audioUrl: string;
            /** @enum {string} */
            type: "inputAudio";
        };
        /** @enum {string} */
        DynamicToolCallStatus: "inProgress" | "completed" | "failed";
        ErrorNotification: {
            error: components["schemas"]["TurnError"];
            threadId: string;
            turnId: string;
            willRetry: boolean;
        };
        FileChangeRequestApprovalParams: {
            grantRoot?: string | null;
            itemId: string;
            reason?: string | null;
            startedAtMs: number;
            threadId: string;
            turnId: string;
        };
        /** @enum {string} */
        FileSystemAccessMode: "read" | "write" | "deny";
        FileSystemPath: {
            path: components["schemas"]["LegacyAppPathString"];
            /** @enum {string} */
            type: "path";
        } | {
            pattern: string;
            /** @enum {string} */
            type: "glob_pattern";
        } | {
            /** @enum {string} */
            type: "special";
            value: components["schemas"]["FileSystemSpecialPath"];
        };
        FileSystemSandboxEntry: {
            access: components["schemas"]["FileSystemAccessMode"];
            path: components["schemas"]["FileSystemPath"];
        };
        FileSystemSpecialPath: {
            /** @enum {string} */
            kind: "root";
        } | {
            /** @enum {string} */
            kind: "minimal";
        } | {
            /** @enum {string} */
            kind: "project_roots";
            subpath?: components["schemas"]["LegacyAppPathString"] | null;
        } | {
            /** @enum {string} */
            kind: "tmpdir";
        } | {
            /** @enum {string} */
            kind: "slash_tmp";
        } | {
            /** @enum {string} */
            kind: "unknown";
            path: string;
            subpath?: components["schemas"]["LegacyAppPathString"] | null;
        };
        FileUpdateChange: {
            diff: string;
            kind: components["schemas"]["PatchChangeKind"];
            path: string;
        };
        ForcedChatgptWorkspaceIds: string | string[];
        /** @enum {string} */
        ForcedLoginMethod: "chatgpt" | "api";
        FunctionCallOutputBody: string | components["schemas"]["FunctionCallOutputContentItem"][];
        FunctionCallOutputContentItem: {
            text: string;
            /** @enum {string} */
            type: "input_text";
        } | ({
            detail?: components["schemas"]["ImageDetail"] | null;
            /** @enum {string} */
            type: "input_image";
        } & ({
            image_url: string;
        } | {
            file_id: string;
        })) | ({
            /** @enum {string} */
            type: "input_audio";
        } & ({
            audio_url: string;
        } | {
            file_id: string;
        })) | {
            encrypted_content: string;
            /** @enum {string} */
            type: "encrypted_content";
        };
        GitInfo: {
            branch?: string | null;
            originUrl?: string | null;
            sha?: string | null;
        };
        GuardianWarningNotification: {
            message: string;
            threadId: string;
        };
        HookErrorInfo: {
            message: string;
            path: string;
        };
        /** @enum {string} */
        HookEventName: "preModelRequest" | "postModelRequest" | "preToolUse" | "permissionRequest" | "postToolUse" | "preCompact" | "postCompact" | "sessionStart" | "sessionEnd" | "userPromptSubmit" | "subagentStart" | "subagentStop" | "stop" | "interrupt";
        HookMetadata: {
            additionalContextLimit?: number | null;
            currentHash: string;
            displayOrder: number;
            enabled: boolean;
            environmentId?: string | null;
            eventName: components["schemas"]["HookEventName"];
            isManaged: boolean;
            key: string;
            matcher?: string | null;
            pluginId?: string | null;
            source: components["schemas"]["HookSource"];
            sourcePath: components["schemas"]["AbsolutePathBuf"];
            statusMessage?: string | null;
            timeoutSec: number;
            trustStatus: components["schemas"]["HookTrustStatus"];
        } & ({
            async?: boolean;
            command: string;
            /** @enum {string} */
            handlerType: "command";
        } | {
            /** @enum {string} */
            handlerType: "mcpTool";
            server: string;
            tool: string;
        } | {
            /** @enum {string} */
            handlerType: "prompt";
        } | {
            /** @enum {string} */
            handlerType: "agent";
        });
        HookPromptFragment: {
            hookRunId: string;
            text: string;
        };
        /** @enum {string} */
        HookSource: "system" | "user" | "project" | "mdm" | "sessionFlags" | "plugin" | "cloudRequirements" | "cloudManagedConfig" | "legacyManagedConfigFile" | "legacyManagedConfigMdm" | "unknown";
        /** @enum {string} */
        HookTrustStatus: "managed" | "untrusted" | "trusted" | "modified";
        HooksListEntry: {
            cwd: string;
            errors: components["schemas"]["HookErrorInfo"][];
            hooks: components["schemas"]["HookMetadata"][];
            warnings: string[];
        };
        /** @enum {string} */
        ImageDetail: "auto" | "low" | "high" | "original";
        ImageGenerationFailure: {
            limitId: string;
            resetsAt?: number | null;
            /** @enum {string} */
            type: "usageLimitExceeded";
        };
        ImageGenerationInputImage: {
            path: components["schemas"]["AbsolutePathBuf"];
            sha256: string;
        };
        InputModality: "text" | "image" | "audio";
        ItemCompletedNotification: {
            completedAtMs: number;
            contentTokenCount?: number | null;
            item: components["schemas"]["ThreadItem"];
            threadId: string;
            turnId: string;
        };
        ItemStartedNotification: {
            item: components["schemas"]["ThreadItem"];
            startedAtMs: number;
            threadId: string;
            turnId: string;
        };
        LegacyAppPathString: string;
        /** @enum {string} */
        McpAppDisplayMode: "inline" | "fullscreen";
        McpAppUi: {
            preferredModelDisplayMode: components["schemas"]["McpAppDisplayMode"];
            resourceUri: string;
        };
        /** @enum {string} */
        McpElicitationArrayType: "array";
        McpElicitationBooleanSchema: {
            default?: boolean | null;
            description?: string | null;
            title?: string | null;
            type: components["schemas"]["McpElicitationBooleanType"];
        };
        /** @enum {string} */
        McpElicitationBooleanType: "boolean";
        McpElicitationConstOption: {
            const: string;
            title: string;
        };
        McpElicitationEnumSchema: components["schemas"]["McpElicitationSingleSelectEnumSchema"] | components["schemas"]["McpElicitationMultiSelectEnumSchema"] | components["schemas"]["McpElicitationLegacyTitledEnumSchema"];
        McpElicitationLegacyTitledEnumSchema: {
            default?: string | null;
            description?: string | null;
            enum: string[];
            enumNames?: string[] | null;
            title?: string | null;
            type: components["schemas"]["McpElicitationStringType"];
        };
        McpElicitationMultiSelectEnumSchema: components["schemas"]["McpElicitationUntitledMultiSelectEnumSchema"] | components["schemas"]["McpElicitationTitledMultiSelectEnumSchema"];
        McpElicitationNumberSchema: {
            default?: number | null;
            description?: string | null;
            maximum?: number | null;
            minimum?: number | null;
            title?: string | null;
            type: components["schemas"]["McpElicitationNumberType"];
        };
        /** @enum {string} */
        McpElicitationNumberType: "number" | "integer";
        /** @enum {string} */
        McpElicitationObjectType: "object";
        McpElicitationPrimitiveSchema: components["schemas"]["McpElicitationEnumSchema"] | components["schemas"]["McpElicitationStringSchema"] | components["schemas"]["McpElicitationNumberSchema"] | components["schemas"]["McpElicitationBooleanSchema"];
        McpElicitationSchema: {
            $schema?: string | null;
            properties: {
                [key: string]: components["schemas"]["McpElicitationPrimitiveSchema"];
            };
            required?: string[] | null;
            type: components["schemas"]["McpElicitationObjectType"];
        };
        McpElicitationSingleSelectEnumSchema: components["schemas"]["McpElicitationUntitledSingleSelectEnumSchema"] | components["schemas"]["McpElicitationTitledSingleSelectEnumSchema"];
        /** @enum {string} */
        McpElicitationStringFormat: "email" | "uri" | "date" | "date-time";
        McpElicitationStringSchema: {
            default?: string | null;
            description?: string | null;
            format?: components["schemas"]["McpElicitationStringFormat"] | null;
            maxLength?: number | null;
            minLength?: number | null;
            title?: string | null;
            type: components["schemas"]["McpElicitationStringType"];
        };
        /** @enum {string} */
        McpElicitationStringType: "string";
        McpElicitationTitledEnumItems: {
            oneOf?: components["schemas"]["McpElicitationConstOption"][];
        };
        McpElicitationTitledMultiSelectEnumSchema: {
            default?: string[] | null;
            description?: string | null;
            items: components["schemas"]["McpElicitationTitledEnumItems"];
            maxItems?: number | null;
            minItems?: number | null;
            title?: string | null;
            type: components["schemas"]["McpElicitationArrayType"];
        };
        McpElicitationTitledSingleSelectEnumSchema: {
            default?: string | null;
            description?: string | null;
            oneOf: components["schemas"]["McpElicitationConstOption"][];
            title?: string | null;
            type: components["schemas"]["McpElicitationStringType"];
        };
        McpElicitationUntitledEnumItems: {
            enum: string[];
            type: components["schemas"]["McpElicitationStringType"];
        };
        McpElicitationUntitledMultiSelectEnumSchema: {
            default?: string[] | null;
            description?: string | null;
            items: components["schemas"]["McpElicitationUntitledEnumItems"];
            maxItems?: number | null;
            minItems?: number | null;
            title?: string | null;
            type: components["schemas"]["McpElicitationArrayType"];
        };
        McpElicitationUntitledSingleSelectEnumSchema: {
            default?: string | null;
            description?: string | null;
            enum: string[];
            title?: string | null;
            type: components["schemas"]["McpElicitationStringType"];
        };
        McpServerElicitationRequestParams: {
            serverName: string;
            threadId: string;
            turnId?: string | null;
        } & ({
            _meta?: unknown;
            challenge: string;
            description: string;
            /** @enum {string} */
            mode: "openai/userVerification";
            title: string;
        } | {
            _meta?: unknown;
            message: string;
            /** @enum {string} */
            mode: "form";
            requestedSchema: components["schemas"]["McpElicitationSchema"];
        } | {
            _meta?: unknown;
            message: string;
            /** @enum {string} */
            mode: "openai/form";
            requestedSchema: unknown;
        } | {
            _meta?: unknown;
            message: string;
            /** @enum {string} */
            mode: "openaiForm";
            requestedSchema: unknown;
        } | {
            _meta?: unknown;
            elicitationId: string;
            message: string;
            /** @enum {string} */
            mode: "url";
            url: string;
        });
        /** @enum {string} */
        McpServerStartupFailureReason: "reauthenticationRequired";
        /** @enum {string} */
        McpServerStartupState: "starting" | "ready" | "failed" | "cancelled";
        McpServerStatusUpdatedNotification: {
            error?: string | null;
            failureReason?: components["schemas"]["McpServerStartupFailureReason"] | null;
            name: string;
            status: components["schemas"]["McpServerStartupState"];
            threadId?: string | null;
        };
        McpToolCallAppContext: {
            actionName?: string | null;
            appName?: string | null;
            connectorId: string;
            linkId?: string | null;
            resourceUri?: string | null;
        };
        McpToolCallError: {
            message: string;
        };
        McpToolCallProgressNotification: {
            itemId: string;
            message: string;
            threadId: string;
            turnId: string;
        };
        McpToolCallResult: {
            _meta?: unknown;
            content: unknown[];
            structuredContent?: unknown;
        };
        /** @enum {string} */
        McpToolCallStatus: "inProgress" | "completed" | "failed";
        MemoryCitation: {
            entries: components["schemas"]["MemoryCitationEntry"][];
            threadIds: string[];
        };
        MemoryCitationEntry: {
            lineEnd: number;
            lineStart: number;
            note: string;
            path: string;
        };
        MessagePhase: "commentary" | "partial_answer" | "final_answer";
        MisalignmentErrorDetails: {
            detailedExplanation?: string | null;
            errorType?: string | null;
            reviewTarget?: string | null;
            steer?: components["schemas"]["MisalignmentSteer"] | null;
        };
        MisalignmentSteer: {
            message: string;
        };
        /** @enum {string} */
        ModeKind: "plan" | "default";
        Model: {
            additionalSpeedTiers?: string[];
            availabilityNux?: components["schemas"]["ModelAvailabilityNux"] | null;
            availableAccessPrograms?: components["schemas"]["ModelAccessPrograms"] | null;
            defaultReasoningEffort: components["schemas"]["ReasoningEffort"];
            defaultServiceTier?: string | null;
            description: string;
            displayName: string;
            hidden: boolean;
            id: string;
            inputModalities?: components["schemas"]["InputModality"][];
            isDefault: boolean;
            model: string;
            modelSpecialty?: string | null;
            multiAgentVersion?: components["schemas"]["MultiAgentVersion"] | null;
            serviceTiers?: components["schemas"]["ModelServiceTier"][];
            supportedReasoningEfforts: components["schemas"]["ReasoningEffortOption"][];
            supportsPersonality?: boolean;
            upgrade?: string | null;
            upgradeInfo?: components["schemas"]["ModelUpgradeInfo"] | null;
        };
        ModelAccessPrograms: {
            cyber: components["schemas"]["CyberAccessProgram"][];
        };
        ModelAvailabilityNux: {
            message: string;
        };
        /** @enum {string} */
        ModelRerouteReason: "highRiskCyberActivity";
        ModelReroutedNotification: {
            fromModel: string;
            reason: components["schemas"]["ModelRerouteReason"];
            threadId: string;
            toModel: string;
            turnId: string;
        };
        ModelServiceTier: {
            description: string;
            id: string;
            name: string;
        };
        ModelUpgradeInfo: {
            migrationMarkdown?: string | null;
            model: string;
            modelLink?: string | null;
            retirementAt?: number | null;
            upgradeCopy?: string | null;
        };
        MultiAgentMode: ("explicitRequestOnly" | "proactive") | {
            custom: string;
        };
        /** @enum {string} */
        MultiAgentVersion: "disabled" | "v1" | "v2";
        /** @enum {string} */
        NetworkAccess: "restricted" | "enabled";
        NetworkApprovalContext: {
            host: string;
            protocol: components["schemas"]["NetworkApprovalProtocol"];
        };
        /** @enum {string} */
        NetworkApprovalProtocol: "http" | "https" | "socks5Tcp" | "socks5Udp";
        NetworkPolicyAmendment: {
            action: components["schemas"]["NetworkPolicyRuleAction"];
            host: string;
        };
        /** @enum {string} */
        NetworkPolicyRuleAction: "allow" | "deny";
        /** @enum {string} */
        NonSteerableTurnKind: "review" | "compact";
        /** @enum {string} */
        PatchApplyStatus: "inProgress" | "completed" | "failed" | "declined";
        PatchChangeKind: {
            /** @enum {string} */
            type: "add";
        } | {
            /** @enum {string} */
            type: "delete";
        } | {
            move_path?: string | null;
            /** @enum {string} */
            type: "update";
        };
        PermissionsRequestApprovalParams: {
            cwd: components["schemas"]["LegacyAppPathString"];
            environmentId?: string | null;
            itemId: string;
            permissions: components["schemas"]["RequestPermissionProfile"];
            reason?: string | null;
            startedAtMs: number;
            threadId: string;
            turnId: string;
        };
        PlanDeltaNotification: {
            delta: string;
            itemId: string;
            threadId: string;
            turnId: string;
        };
        /** @enum {string} */
        PlanType: "free" | "go" | "plus" | "pro" | "prolite" | "promax" | "team" | "self_serve_business_prolite" | "self_serve_business_usage_based" | "business" | "ent26" | "enterprise_cbp_automation" | "enterprise_cbp_usage_based" | "enterprise" | "edu" | "edu_plus" | "edu_pro" | "sci" | "sci_plus" | "unknown";
        /** @enum {string} */
        RateLimitReachedType: "rate_limit_reached" | "workspace_owner_credits_depleted" | "workspace_member_credits_depleted" | "workspace_owner_usage_limit_reached" | "workspace_member_usage_limit_reached";
        RateLimitSnapshot: {
            credits?: components["schemas"]["CreditsSnapshot"] | null;
            individualLimit?: components["schemas"]["SpendControlLimitSnapshot"] | null;
            limitId?: string | null;
            limitName?: string | null;
            normalModelSlug?: string | null;
            planType?: components["schemas"]["PlanType"] | null;
            primary?: components["schemas"]["RateLimitWindow"] | null;
            rateLimitReachedType?: components["schemas"]["RateLimitReachedType"] | null;
            secondary?: components["schemas"]["RateLimitWindow"] | null;
            spendControlReached?: boolean | null;
        };
        RateLimitWindow: {
            resetsAt?: number | null;
            usedPercent: number;
            windowDurationMins?: number | null;
        };
        ReasoningEffort: string;
        ReasoningEffortOption: {
            description: string;
            reasoningEffort: components["schemas"]["ReasoningEffort"];
        };
        ReasoningSummary: ("auto" | "concise" | "detailed") | "none";
        ReasoningSummaryPartAddedNotification: {
            itemId: string;
            summaryIndex: number;
            threadId: string;
            turnId: string;
        };
        ReasoningSummaryTextDeltaNotification: {
            delta: string;
            itemId: string;
            summaryIndex: number;
            threadId: string;
            turnId: string;
        };
        ReasoningTextDeltaNotification: {
            contentIndex: number;
            delta: string;
            itemId: string;
            threadId: string;
            turnId: string;
        };
        RequestId: string | number;
        RequestPermissionProfile: {
            fileSystem?: components["schemas"]["AdditionalFileSystemPermissions"] | null;
            network?: components["schemas"]["AdditionalNetworkPermissions"] | null;
        };
        /** @enum {string} */
        SandboxMode: "read-only" | "workspace-write" | "danger-full-access";
        SandboxPolicy: {
            /** @enum {string} */
            type: "dangerFullAccess";
        } | {
            networkAccess?: boolean;
            /** @enum {string} */
            type: "readOnly";
        } | {
            networkAccess?: components["schemas"]["NetworkAccess"];
            /** @enum {string} */
            type: "externalSandbox";
        } | {
            excludeSlashTmp?: boolean;
            excludeTmpdirEnvVar?: boolean;
            networkAccess?: boolean;
            /** @enum {string} */
            type: "workspaceWrite";
            writableRoots?: components["schemas"]["AbsolutePathBuf"][];
        };
        SandboxWorkspaceWrite: {
            exclude_slash_tmp?: boolean;
            exclude_tmpdir_env_var?: boolean;
            network_access?: boolean;
            writable_roots?: string[];
        };
        ServerRequestResolvedNotification: {
            requestId: components["schemas"]["RequestId"];
            threadId: string;
        };
        SessionSource: ("cli" | "vscode" | "exec" | "appServer" | "unknown") | {
            custom: string;
        } | {
            subAgent: components["schemas"]["SubAgentSource"];
        };
        Settings: {
            developer_instructions?: string | null;
            model: string;
            reasoning_effort?: components["schemas"]["ReasoningEffort"] | null;
        };
        SpendControlLimitSnapshot: {
            limit: string;
            remainingPercent: number;
            resetsAt: number;
            used: string;
        };
        /** @enum {string} */
        SubAgentActivityKind: "started" | "interacted" | "interrupted" | "completed";
        SubAgentSource: ("review" | "compact" | "memory_consolidation") | {
            thread_spawn: {
                agent_nickname?: string | null;
                agent_path?: components["schemas"]["AgentPath"] | null;
                agent_role?: string | null;
                depth: number;
                parent_thread_id: components["schemas"]["ThreadId"];
            };
        } | {
            other: string;
        };
        TerminalInteractionNotification: {
            itemId: string;
            processId: string;
            stdin: string;
            threadId: string;
            turnId: string;
        };
        TextElement: {
            byteRange: components["schemas"]["ByteRange"];
            placeholder?: string | null;
        };
        TextPosition: {
            column: number;
            line: number;
        };
        TextRange: {
            end: components["schemas"]["TextPosition"];
            start: components["schemas"]["TextPosition"];
        };
        Thread: {
            agentNickname?: string | null;
            agentRole?: string | null;
            attachedToThreadId?: string | null;
            canAcceptDirectInput?: boolean | null;
            cliVersion: string;
            createdAt: number;
            cwd: components["schemas"]["AbsolutePathBuf"];
            daybreakEnabled?: boolean | null;
            environments?: components["schemas"]["ThreadEnvironment"][] | null;
            ephemeral: boolean;
            extra?: components["schemas"]["ThreadExtra"] | null;
            forkedFromId?: string | null;
            gitInfo?: components["schemas"]["GitInfo"] | null;
            historyMode?: components["schemas"]["ThreadHistoryMode"];
            id: string;
            model?: string | null;
            modelProvider: string;
            name?: string | null;
            originator?: string | null;
            parentThreadId?: string | null;
            path?: string | null;
            preview: string;
            projectId: string | null;
            reasoningEffort?: components["schemas"]["ReasoningEffort"] | null;
            recencyAt?: number | null;
            section?: components["schemas"]["ThreadSection"] | null;
            sectionEnteredAt?: number | null;
            sessionId: string;
            source: components["schemas"]["SessionSource"];
            status: components["schemas"]["ThreadStatus"];
            threadSource?: components["schemas"]["ThreadSource"] | null;
            turns: components["schemas"]["Turn"][];
            updatedAt: number;
        };
        /** @enum {string} */
        ThreadActiveFlag: "waitingOnApproval" | "waitingOnUserInput";
        ThreadEnvironment: {
            cwd: components["schemas"]["LegacyAppPathString"];
            environmentId: string;
            runtimeWorkspaceRoots: components["schemas"]["LegacyAppPathString"][];
        };
        ThreadExtra: Record<string, never>;
        /** @enum {string} */
        ThreadHistoryMode: "legacy" | "paginated";
        ThreadId: string;
        ThreadItem: {
            completedAtMs?: number | null;
            startedAtMs?: number | null;
        } & ({
            clientId?: string | null;
            content: components["schemas"]["UserInput"][];
            id: string;
            /** @enum {string} */
            type: "userMessage";
        } | {
            fragments: components["schemas"]["HookPromptFragment"][];
            id: string;
            /** @enum {string} */
            type: "hookPrompt";
        } | {
            delivery?: components["schemas"]["AgentMessageDelivery"] | null;
            id: string;
            memoryCitation?: components["schemas"]["MemoryCitation"] | null;
            moderation?: components["schemas"]["AgentMessageModeration"] | null;
            phase?: components["schemas"]["MessagePhase"] | null;
            questions?: components["schemas"]["AsyncUserInputQuestion"][] | null;
            text: string;
            /** @enum {string} */
            type: "agentMessage";
        } | {
            id: string;
            name: string;
            namespace?: string | null;
            output: components["schemas"]["FunctionCallOutputBody"];
            /** @enum {string} */
            type: "functionCallOutput";
        } | {
            id: string;
            text: string;
            /** @enum {string} */
            type: "plan";
        } | {
            content?: string[];
            id: string;
            summary?: string[];
            /** @enum {string} */
            type: "reasoning";
        } | {
            aggregatedOutput?: string | null;
            command: string;
            commandActions: components["schemas"]["CommandAction"][];
            cwd: components["schemas"]["LegacyAppPathString"];
            durationMs?: number | null;
            exitCode?: number | null;
            id: string;
            pluginId?: string | null;
            processId?: string | null;
            scriptPath?: string | null;
            source?: components["schemas"]["CommandExecutionSource"];
            status: components["schemas"]["CommandExecutionStatus"];
            /** @enum {string} */
            type: "commandExecution";
        } | {
            changes: components["schemas"]["FileUpdateChange"][];
            id: string;
            status: components["schemas"]["PatchApplyStatus"];
            /** @enum {string} */
            type: "fileChange";
        } | {
            appContext?: components["schemas"]["McpToolCallAppContext"] | null;
            arguments: unknown;
            durationMs?: number | null;
            error?: components["schemas"]["McpToolCallError"] | null;
            id: string;
            mcpAppResourceUri?: string | null;
            mcpAppUi?: components["schemas"]["McpAppUi"] | null;
            pluginId?: string | null;
            readOnlyHint?: boolean | null;
            result?: components["schemas"]["McpToolCallResult"] | null;
            server: string;
            status: components["schemas"]["McpToolCallStatus"];
            tool: string;
            /** @enum {string} */
            type: "mcpToolCall";
        } | {
            arguments: unknown;
            contentItems?: components["schemas"]["DynamicToolCallOutputContentItem"][] | null;
            durationMs?: number | null;
            id: string;
            namespace?: string | null;
            status: components["schemas"]["DynamicToolCallStatus"];
            success?: boolean | null;
            tool: string;
            /** @enum {string} */
            type: "dynamicToolCall";
        } | {
            agentsStates: {
                [key: string]: components["schemas"]["CollabAgentState"];
            };
            id: string;
            model?: string | null;
            prompt?: string | null;
            reasoningEffort?: components["schemas"]["ReasoningEffort"] | null;
            receiverThreadIds: string[];
            senderThreadId: string;
            status: components["schemas"]["CollabAgentToolCallStatus"];
            tool: components["schemas"]["CollabAgentTool"];
            /** @enum {string} */
            type: "collabAgentToolCall";
        } | {
            agentPath: string;
            agentThreadId: string;
            id: string;
            kind: components["schemas"]["SubAgentActivityKind"];
            model?: string | null;
            reasoningEffort?: components["schemas"]["ReasoningEffort"] | null;
            /** @enum {string} */
            type: "subAgentActivity";
        } | {
            action?: components["schemas"]["WebSearchAction"] | null;
            id: string;
            query: string;
            results?: unknown[] | null;
            /** @enum {string} */
            type: "webSearch";
        } | {
            id: string;
            path: components["schemas"]["LegacyAppPathString"];
            /** @enum {string} */
            type: "imageView";
        } | {
            durationMs: number;
            id: string;
            /** @enum {string} */
            type: "sleep";
        } | ({
            failure?: components["schemas"]["ImageGenerationFailure"] | null;
            generationId?: string | null;
            id: string;
            inputImages?: components["schemas"]["ImageGenerationInputImage"][];
            revisedPrompt?: string | null;
            savedPath?: components["schemas"]["AbsolutePathBuf"] | null;
            status: string;
            transparentBackground?: boolean | null;
            /** @enum {string} */
            type: "imageGeneration";
        } & ({
            fileId: string;
        } | {
            result: string;
        })) | {
            id: string;
            review: string;
            /** @enum {string} */
            type: "enteredReviewMode";
        } | {
            id: string;
            review: string;
            /** @enum {string} */
            type: "exitedReviewMode";
        } | {
            id: string;
            /** @enum {string} */
            type: "contextCompaction";
        });
        ThreadSection: {
            appearance?: components["schemas"]["ThreadSectionAppearance"] | null;
            id: string;
            name: string;
        };
        ThreadSectionAppearance: {
            color?: string | null;
            icon?: string | null;
        };
        ThreadSource: string;
        ThreadStatus: {
            /** @enum {string} */
            type: "notLoaded";
        } | {
            /** @enum {string} */
            type: "idle";
        } | {
            /** @enum {string} */
            type: "systemError";
        } | {
            activeFlags: components["schemas"]["ThreadActiveFlag"][];
            /** @enum {string} */
            type: "active";
        };
        ThreadTokenUsage: {
            last: components["schemas"]["TokenUsageBreakdown"];
            modelContextWindow?: number | null;
            total: components["schemas"]["TokenUsageBreakdown"];
        };
        ThreadTokenUsageUpdatedNotification: {
            threadId: string;
            tokenUsage: components["schemas"]["ThreadTokenUsage"];
            turnId: string;
        };
        TokenUsageBreakdown: {
            cacheWriteInputTokens?: number;
            cachedInputTokens: number;
            inputTokens: number;
            outputTokens: number;
            reasoningOutputTokens: number;
            totalTokens: number;
        };
        ToolRequestUserInputOption: {
            description: string;
            label: string;
        };
        ToolRequestUserInputParams: {
            autoResolutionMs?: number | null;
            isBlocking: boolean;
            itemId: string;
            questions: components["schemas"]["ToolRequestUserInputQuestion"][];
            threadId: string;
            turnId: string;
        };
        ToolRequestUserInputQuestion: {
            header: string;
            id: string;
            isOther?: boolean;
            isSecret?: boolean;
            options?: components["schemas"]["ToolRequestUserInputOption"][] | null;
            question: string;
        };
        ToolsV2: {
            web_search?: components["schemas"]["WebSearchToolConfig"] | null;
        };
        Turn: {
            completedAt?: number | null;
            durationMs?: number | null;
            error?: components["schemas"]["TurnError"] | null;
            id: string;
            items: components["schemas"]["ThreadItem"][];
            itemsView?: components["schemas"]["TurnItemsView"];
            rootTurnId?: string | null;
            startedAt?: number | null;
            status: components["schemas"]["TurnStatus"];
        };
        TurnCompletedNotification: {
            threadId: string;
            turn: components["schemas"]["Turn"];
        };
        TurnDiffUpdatedNotification: {
            diff: string;
            threadId: string;
            turnId: string;
        };
        TurnError: {
            additionalDetails?: string | null;
            codexErrorInfo?: components["schemas"]["CodexErrorInfo"] | null;
            message: string;
            misalignment?: components["schemas"]["MisalignmentErrorDetails"] | null;
        };
        TurnItemsView: "notLoaded" | "summary" | "full";
        TurnModerationMetadataNotification: {
            metadata: unknown;
            threadId: string;
            turnId: string;
        };
        TurnPlanStep: {
            status: components["schemas"]["TurnPlanStepStatus"];
            step: string;
        };
        /** @enum {string} */
        TurnPlanStepStatus: "pending" | "inProgress" | "completed";
        TurnPlanUpdatedNotification: {
            explanation?: string | null;
            plan: components["schemas"]["TurnPlanStep"][];
            threadId: string;
            turnId: string;
        };
        TurnStartedNotification: {
            threadId: string;
            turn: components["schemas"]["Turn"];
        };
        /** @enum {string} */
        TurnStatus: "completed" | "interrupted" | "failed" | "inProgress";
        TurnsPage: {
            backwardsCursor?: string | null;
            data: components["schemas"]["Turn"][];
            nextCursor?: string | null;
        };
        UserInput: {
            text: string;
            text_elements?: components["schemas"]["TextElement"][];
            /** @enum {string} */
            type: "text";
        } | ({
            detail?: components["schemas"]["ImageDetail"] | null;
            /** @enum {string} */
            type: "image";
        } & ({
            url: string;
        } | {
            fileId: string;
        })) | {
            detail?: components["schemas"]["ImageDetail"] | null;
            path: string;
            /** @enum {string} */
            type: "localImage";
        } | ({
            /** @enum {string} */
            type: "audio";
        } & ({
            url: string;
        } | {
            fileId: string;
        })) | {
            path: string;
            /** @enum {string} */
            type: "localAudio";
        } | {
            name: string;
            path: string;
            /** @enum {string} */
            type: "skill";
        } | {
            name: string;
            path: string;
            /** @enum {string} */
            type: "mention";
        };
        /** @enum {string} */
        Verbosity: "low" | "medium" | "high";
        WarningNotification: {
            message: string;
            threadId?: string | null;
        };
        WebSearchAction: {
            queries?: string[] | null;
            query?: string | null;
            /** @enum {string} */
            type: "search";
        } | {
            /** @enum {string} */
            type: "openPage";
            url?: string | null;
        } | {
            pattern?: string | null;
            /** @enum {string} */
            type: "findInPage";
            url?: string | null;
        } | {
            /** @enum {string} */
            type: "other";
        };
        /** @enum {string} */
        WebSearchContextSize: "low" | "medium" | "high";
        WebSearchLocation: {
            city?: string | null;
            country?: string | null;
            region?: string | null;
            timezone?: string | null;
        };
        /** @enum {string} */
        WebSearchMode: "disabled" | "cached" | "indexed" | "live";
        /** @enum {string} */
        WebSearchProvider: "standalone" | "search_mcp";
        WebSearchToolConfig: {
            allowed_domains?: string[] | null;
            context_size?: components["schemas"]["WebSearchContextSize"] | null;
            location?: components["schemas"]["WebSearchLocation"] | null;
        };
        "account/rateLimits/updated": components["schemas"]["AccountRateLimitsUpdatedNotification"];
        configWarning: components["schemas"]["ConfigWarningNotification"];
        "currentTime/read": components["schemas"]["CurrentTimeReadParams"];
        deprecationNotice: components["schemas"]["DeprecationNoticeNotification"];
        error: components["schemas"]["ErrorNotification"];
        guardianWarning: components["schemas"]["GuardianWarningNotification"];
        "item/agentMessage/delta": components["schemas"]["AgentMessageDeltaNotification"];
        "item/commandExecution/outputDelta": components["schemas"]["CommandExecutionOutputDeltaNotification"];
        "item/commandExecution/requestApproval": components["schemas"]["CommandExecutionRequestApprovalParams"];
        "item/commandExecution/terminalInteraction": components["schemas"]["TerminalInteractionNotification"];
        "item/completed": components["schemas"]["ItemCompletedNotification"];
        "item/fileChange/requestApproval": components["schemas"]["FileChangeRequestApprovalParams"];
        "item/mcpToolCall/progress": components["schemas"]["McpToolCallProgressNotification"];
        "item/permissions/requestApproval": components["schemas"]["PermissionsRequestApprovalParams"];
        "item/plan/delta": components["schemas"]["PlanDeltaNotification"];
        "item/reasoning/summaryPartAdded": components["schemas"]["ReasoningSummaryPartAddedNotification"];
        "item/reasoning/summaryTextDelta": components["schemas"]["ReasoningSummaryTextDeltaNotification"];
        "item/reasoning/textDelta": components["schemas"]["ReasoningTextDeltaNotification"];
        "item/started": components["schemas"]["ItemStartedNotification"];
        "item/tool/requestUserInput": components["schemas"]["ToolRequestUserInputParams"];
        "mcpServer/elicitation/request": components["schemas"]["McpServerElicitationRequestParams"];
        "mcpServer/startupStatus/updated": components["schemas"]["McpServerStatusUpdatedNotification"];
        "model/rerouted": components["schemas"]["ModelReroutedNotification"];
        "reply config/read": {
            config: components["schemas"]["Config"];
            layers?: components["schemas"]["ConfigLayer"][] | null;
            origins: {
                [key: string]: components["schemas"]["ConfigLayerMetadata"];
            };
        };
        "reply hooks/list": {
            data: components["schemas"]["HooksListEntry"][];
        };
        "reply initialize": {
            codexHome: components["schemas"]["AbsolutePathBuf"];
            platformFamily: string;
            platformOs: string;
            userAgent: string;
        };
        "reply model/list": {
            data: components["schemas"]["Model"][];
            nextCursor?: string | null;
        };
        "reply thread/archive": Record<string, never>;
        "reply thread/backgroundTerminals/clean": Record<string, never>;
        "reply thread/delete": Record<string, never>;
        "reply thread/loaded/list": {
            data: string[];
            nextCursor?: string | null;
        };
        "reply thread/resume": {
            activePermissionProfile?: components["schemas"]["ActivePermissionProfile"] | null;
            approvalPolicy: components["schemas"]["AskForApproval"];
            approvalsReviewer: components["schemas"]["ApprovalsReviewer"];
            collaborationMode?: components["schemas"]["CollaborationMode"] | null;
            cwd: components["schemas"]["AbsolutePathBuf"];
            disabledPluginIds?: string[];
            initialTurnsPage?: components["schemas"]["TurnsPage"] | null;
            instructionSources?: components["schemas"]["LegacyAppPathString"][];
            itemsBackwardsCursor?: string | null;
            model: string;
            modelProvider: string;
            multiAgentMode?: components["schemas"]["MultiAgentMode"];
            reasoningEffort?: components["schemas"]["ReasoningEffort"] | null;
            runtimeWorkspaceRoots?: components["schemas"]["AbsolutePathBuf"][];
            sandbox: components["schemas"]["SandboxPolicy"];
            serviceTier?: string | null;
            thread: components["schemas"]["Thread"];
            turnsBackwardsCursor?: string | null;
        };
        "reply thread/start": {
            activePermissionProfile?: components["schemas"]["ActivePermissionProfile"] | null;
            approvalPolicy: components["schemas"]["AskForApproval"];
            approvalsReviewer: components["schemas"]["ApprovalsReviewer"];
            cwd: components["schemas"]["AbsolutePathBuf"];
            disabledPluginIds?: string[];
            instructionSources?: components["schemas"]["LegacyAppPathString"][];
            model: string;
            modelProvider: string;
            multiAgentMode?: components["schemas"]["MultiAgentMode"];
            reasoningEffort?: components["schemas"]["ReasoningEffort"] | null;
            runtimeWorkspaceRoots?: components["schemas"]["AbsolutePathBuf"][];
            sandbox: components["schemas"]["SandboxPolicy"];
            serviceTier?: string | null;
            thread: components["schemas"]["Thread"];
        };
        "reply thread/unarchive": {
            thread: components["schemas"]["Thread"];
        };
        "reply turn/interrupt": Record<string, never>;
        "reply turn/start": {
            turn: components["schemas"]["Turn"];
        };
        "reply turn/steer": {
            turnId: string;
        };
        "serverRequest/resolved": components["schemas"]["ServerRequestResolvedNotification"];
        "thread/tokenUsage/updated": components["schemas"]["ThreadTokenUsageUpdatedNotification"];
        "turn/completed": components["schemas"]["TurnCompletedNotification"];
        "turn/diff/updated": components["schemas"]["TurnDiffUpdatedNotification"];
        "turn/moderationMetadata": components["schemas"]["TurnModerationMetadataNotification"];
        "turn/plan/updated": components["schemas"]["TurnPlanUpdatedNotification"];
        "turn/started": components["schemas"]["TurnStartedNotification"];
        warning: components["schemas"]["WarningNotification"];
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
