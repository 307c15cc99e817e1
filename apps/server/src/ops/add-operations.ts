import { type Door, type Gate, type Route, signedOut } from "@lethe/serve";
import type { Context } from "hono";
import type { App } from "../http/app-parts.ts";
import { statusSchema } from "../http/bodies/record-schemas.ts";
import type { Env } from "../http/env.ts";
import { access, answers, proofs, refusals, sent } from "../http/routes/said.ts";
import { metricsText, type RequestCounts } from "./metrics.ts";

/** What the routes of operations tell of. */
export interface OperationsParts {
  readonly counts: RequestCounts;
  readonly door: Pick<Door, "counts">;
  readonly gate: Gate;
  readonly version: string;
  /** The workers that the service is to have, and the most questions that may wait for one. How many are busy or wait is not told: it follows from how long executions take. */
  readonly workers: number;
  readonly queue: number;
  /** Both in milliseconds since 1970. */
  readonly startedAt: number;
  readonly now: () => number;
  /** Whether every worker can answer. */
  readonly ready: () => boolean;
}

/**
 * Adds what operators ask: /healthz, whether the process answers; /readyz, whether it can answer questions; and, for the roles that may read them, /v1/metrics and /v1/status.
 */
export function addOperations(app: App, parts: OperationsParts): void {
  const { counts, door, gate, startedAt, now, ready } = parts;
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
  api.registerPath({
    method: "get",
    path: "/v1/status",
    ...access("status.read"),
    summary: "Version, uptime, workers and counts of requests",
    description: "Nothing in it depends on the data, on how long an execution took, or on how it ended.",
    security: proofs,
    responses: { 200: answers(statusSchema, "The status."), ...refusals },
  });
  app.get("/healthz", (context) => context.text("ok\n"));
  app.get("/readyz", (context) => (ready() ? context.text("ready\n") : context.text("starting\n", 503)));
  const pass = (route: Route, context: Context<Env>): void => {
    const who = context.get("who");
    if (who === undefined) throw signedOut();
    gate.pass(route, who, null);
  };
  app.get("/v1/status", (context) => {
    pass("status.read", context);
    const { version, workers, queue } = parts;
    return sent({
      version,
      startedAt: new Date(startedAt).toISOString(),
      uptimeSeconds: Math.max(0, Math.floor((now() - startedAt) / 1000)),
      ready: ready(),
      workers,
      queue,
      ...door.counts,
      requests: counts.all(),
    });
  });
  app.get("/v1/metrics", (context) => {
    pass("metrics.read", context);
    return context.text(metricsText(counts, door.counts, startedAt / 1000), 200, {
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
    });
  });
}
