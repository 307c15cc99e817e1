import { invalidParameter, lossFromJson, lossToJson } from "@lethe/core";
import type { ShareRequest } from "./decisions/share.ts";
import type { ReserveRequest } from "./ledger.ts";
import { requireName } from "./request-limits.ts";

export function requireRequest(request: ReserveRequest): void {
  requireName(request.requestId, "the request id");
  requireName(request.principal, "the principal");
  if (request.project != null) requireName(request.project, "the project");
  for (const name of request.dataSets ?? []) requireName(name, "the data set");
  if (!/^[0-9a-f]{64}$/.test(request.requestHash)) {
    throw invalidParameter("the request hash", request.requestHash, "a sha256 in hex");
  }
  lossFromJson(lossToJson(request.loss));
  if (request.otherwise) lossFromJson(lossToJson(request.otherwise.loss));
}

export function requireShare({ from, requestId, to, project }: ShareRequest): void {
  requireName(requestId, "the request id");
  requireName(from, "who shares");
  requireName(to, "the receiver");
  if (project != null) requireName(project, "the project");
}
