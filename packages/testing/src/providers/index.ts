export type {
  Box,
  BoxExecOptions,
  BoxOptions,
  BoxOutcome,
  BoxProcess,
  BoxProcessInfo,
} from "./box/box.ts";
export { type BoxHost, openBoxHost } from "./box/box-host.ts";
export type { Fault, FaultPlan, Faults, FaultyCall, FaultyRequest } from "./faults.ts";
export type { Ledger, LedgerEnd, LedgerEntry } from "./ledger.ts";
export type {
  ProviderService,
  ProviderServiceDescription,
  ServiceOptions,
  ServiceRequest,
} from "./provider-service.ts";
export { loadProviderService, providerServices, startProviderService } from "./registry.ts";
