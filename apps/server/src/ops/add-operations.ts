import { type Door, type Gate, signedOut } from "@lethe/serve";
import type { Hono } from "hono";
import type { Env } from "../http/env.ts";
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
export function addOperations(
  app: Pick<Hono<Env>, "get">,
  { counts, door, gate, startedAt, ready }: OperationsParts,
): void {
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
