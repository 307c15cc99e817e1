import type { DoorCounts } from "@lethe/serve";

/** A request that was answered, as far as it may be counted. */
export interface CountedRequest {
  readonly method: string;
  readonly route: string;
  readonly status: number;
}

/**
 * Counts requests by route, and refusals apart: functions of requests alone. An answer and an execution that failed are counted as one, since whether one fails may depend on the data; for the
 * same reason no duration is measured.
 */
export class RequestCounts {
  readonly #counts = new Map<string, RouteCount>();

  count({ method, route, status }: CountedRequest): void {
    const outcome = status >= 400 && status < 500 ? "refused" : "served";
    const key = keyOf({ method, route, outcome });
    const count = (this.#counts.get(key)?.count ?? 0) + 1;
    this.#counts.set(key, { method, route, outcome, count });
  }

  /** The counts so far, in the order of their routes. */
  all(): readonly RouteCount[] {
    return [...this.#counts.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  *lines(): Iterable<string> {
    yield "# HELP lethe_requests_total Requests answered, by route.";
    yield "# TYPE lethe_requests_total counter";
    for (const each of this.all()) yield `lethe_requests_total{${keyOf(each)}} ${each.count}`;
  }
}

/** The requests of a route that were served, or refused. */
export interface RouteCount {
  readonly method: string;
  readonly route: string;
  readonly outcome: "served" | "refused";
  readonly count: number;
}

function keyOf({ method, route, outcome }: Omit<RouteCount, "count">): string {
  return `method="${method}",route="${route}",outcome="${outcome}"`;
}

/**
 * Writes metrics in Prometheus' text format, version 0.0.4. Every number is a function of the requests that came and of their plans: none depends on the data, on how long an execution took, or on how it ended.
 * @param startedAt seconds since 1970
 */
export function metricsText(requests: RequestCounts, door: DoorCounts, startedAt: number): string {
  const counter = (name: string, help: string, value: number): string[] => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} counter`,
    `${name} ${value}`,
  ];
  return [
    "# HELP lethe_start_time_seconds When the service started, in seconds since 1970.",
    "# TYPE lethe_start_time_seconds gauge",
    `lethe_start_time_seconds ${startedAt}`,
    ...requests.lines(),
    ...counter("lethe_asks_total", "Questions asked.", door.asks),
    ...counter("lethe_explains_total", "Questions explained.", door.explains),
    ...counter("lethe_asks_shared_total", "Questions that joined the same one in flight.", door.shared),
    ...counter("lethe_slots_total", "Charges that the release schedule gave a slot.", door.slots),
    "",
  ].join("\n");
}
