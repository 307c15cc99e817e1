/** A refusal of the service: the code, what it means and what would be accepted. */
export class LetheProblem extends Error {
  override readonly name = "LetheProblem";
  readonly code: string;
  readonly status: number;
  readonly fix: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** Where in the question's text: both from 1; null where the refusal has no place. */
  readonly line: number | null;
  readonly column: number | null;
  /** Milliseconds to wait before asking again; null where waiting does not help. */
  readonly retryAfterMs: number | null;

  constructor(status: number, body: Readonly<Record<string, unknown>>, retryAfterMs: number | null) {
    super(typeof body.detail === "string" ? body.detail : "the service refused");
    this.status = status;
    this.code = typeof body.code === "string" ? body.code : "internal.invariant";
    this.fix = typeof body.fix === "string" ? body.fix : "";
    this.fields = isRecord(body.fields) ? body.fields : {};
    this.line = typeof body.line === "number" ? body.line : null;
    this.column = typeof body.column === "number" ? body.column : null;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Reads a response that is no success. A body that is none of Lethe's, such as a proxy's page, is told by its status alone. */
export async function problemIn(response: Response): Promise<LetheProblem> {
  const seconds = Number(response.headers.get("retry-after") ?? "none");
  const body: unknown = await response.json().catch(() => null);
  const told = isRecord(body) ? body : { detail: `the service answered with status ${response.status}` };
  return new LetheProblem(response.status, told, seconds >= 0 ? seconds * 1000 : null);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
