import { type Door, type Gate, signedOut } from "@lethe/serve";
import type { App } from "../http/app-parts.ts";
import { access, proofs, refusals } from "../http/routes/said.ts";
import { metricsText, type RequestCounts } from "./metrics.ts";

/** What the routes of operations tell of. */
export interface OperationsParts {
  readonly counts: RequestCounts;
  readonly door: Pick<Door, "counts">;
  readonly gate: Gate;
  /** Seconds since 1970. */
  readonly startedAt: number;
  /** Whether every worker can answer. */
  readonly ready: () => boolean;
}

/**
 * Adds what operators ask: /healthz, whether the process answers; /readyz, whether it can answer questions; and /v1/metrics, for the roles that may read them.
 */
export function addOperations(app: App, { counts, door, gate, startedAt, ready }: OperationsParts): void {
  const plain = { "text/plain": { schema: { type: "string" } } } as const;
  const said = { 200: { description: "Plain text.", content: plain } } as const;
  const { openAPIRegistry: api } = app;
  const health = access("health.read");
  api.registerPath({
    method: "get",
    path: "/healthz",
    ...health,
    summary: "Whether the process answers",
    responses: said,
  });
  api.registerPath({
    method: "get",
    path: "/readyz",
    ...health,
    summary: "Whether it can answer questions",
    responses: { ...said, 503: { description: "Not yet, or no more.", content: plain } },
  });
  api.registerPath({
    method: "get",
    path: "/v1/metrics",
    ...access("metrics.read"),
    summary: "Counts of requests, in Prometheus' text format",
    security: proofs,
    responses: { ...said, ...refusals },
  });
  app.get("/healthz", (context) => context.text("ok\n"));
  app.get("/readyz", (context) => (ready() ? context.text("ready\n") : context.text("starting\n", 503)));
  app.get("/v1/metrics", (context) => {
    const who = context.get("who");
    if (who === undefined) throw signedOut();
    gate.pass("metrics.read", who, null);
    return context.text(metricsText(counts, door.counts, startedAt), 200, {
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
    });
  });
}
