/**
 * Asks a Lethe service from Node or a browser. It needs nothing but `fetch`.
 * @module @lethe/client
 */
import { answerIn } from "./answer-in.ts";
import type {
  Answer,
  Budget,
  Dashboard,
  DashboardChange,
  DashboardContent,
  Explanation,
  Offer,
  Release,
  RequestLine,
  SignedCertificate,
  TableOffered,
} from "./answers.ts";
import { problemIn } from "./problem.ts";

export type {
  Alternative,
  Answer,
  Budget,
  BudgetScope,
  Cell,
  ColumnOffered,
  Dashboard,
  DashboardChange,
  DashboardContent,
  Estimate,
  ExpectedAnswer,
  Explanation,
  HalfWidthAt,
  Loss,
  Offer,
  Release,
  RequestLine,
  SavedQuestion,
  SignedCertificate,
  TableOffered,
} from "./answers.ts";
export { LetheProblem, problemIn } from "./problem.ts";

/** Where the service is, and who asks it. */
export interface ConnectOptions {
  /** Such as https://lethe.example.org; a page of the service itself may leave it out. */
  readonly url?: string;
  /** The token that the service gave you. A page whose visitor signed in has none: the session's cookie goes along. */
  readonly token?: string;
  /** What sends requests; the platform's own unless stated. */
  readonly fetch?: typeof fetch;
}

/** What is stated beside a question. Numbers may be texts ("0.1", "1/3"), which are read exactly. */
export interface AskOptions {
  readonly params?:
    | readonly (string | number | boolean | null)[]
    | Readonly<Record<string, string | number | boolean | null>>;
  readonly epsilon?: number | string;
  readonly delta?: number | string;
  readonly confidence?: number | string;
  readonly advantage?: number | string;
  readonly keys?: "public" | "private";
  readonly mechanism?: "laplace" | "gaussian";
  readonly targetError?: number | string;
  readonly maxEpsilon?: number | string;
  readonly project?: string;
  readonly acceptUninformative?: boolean;
  readonly today?: string;
  /** Pays for a new answer even where an earlier one to the same question is there. */
  readonly fresh?: boolean;
  /** Takes what earlier releases make, and pays for nothing. */
  readonly made?: boolean;
  /** Your own name for the request: sent again with it, the question is paid for once. */
  readonly requestId?: string;
  readonly signal?: AbortSignal;
}

/** A service, asked as one person. Every call may throw a {@link LetheProblem}. */
export interface LetheClient {
  /** Pays, and answers with rows of named fields. The same question again costs nothing, and so do public tables and SHOW TABLES. */
  ask(sql: string, options?: AskOptions): Promise<Answer>;
  /** The same answer with its certificate and signature. */
  release(sql: string, options?: AskOptions): Promise<Release>;
  /** The same answer as CSV, or in Arrow's streaming format. */
  csv(sql: string, options?: AskOptions): Promise<string>;
  arrow(sql: string, options?: AskOptions): Promise<Uint8Array>;
  /** Plan, price and expected error, for nothing. */
  explain(sql: string, options?: AskOptions): Promise<Explanation>;
  /** The columns of the answer and the types of the parameters, for nothing. */
  describe(
    sql: string,
  ): Promise<{ readonly columns: readonly object[]; readonly parameters: readonly object[] }>;
  /** What one may ask about. */
  tables(): Promise<readonly TableOffered[]>;
  /** What you may spend and have spent. */
  budget(): Promise<Budget>;
  /** Your requests, newest first: reads page after page as you go on. */
  requests(): AsyncIterable<RequestLine>;
  /** An answer of before, by its request's id, for nothing. */
  answerOf(requestId: string): Promise<Release>;
  /** One request of yours, once it is charged, and its state: by its id, or by the `requestId` that you gave it. */
  request(named: RequestNamed): Promise<RequestLine>;
  /** Stops the waiting for a request of yours, wherever you wait for it. The charge stands, and the answer is free to ask again. */
  stopWaiting(named: RequestNamed): Promise<void>;
  /** Your certificates, newest first; those of all where your roles let you see them. */
  certificates(): AsyncIterable<SignedCertificate>;
  /** Your dashboards, and those that others let you read. */
  dashboards(): Promise<readonly Dashboard[]>;
  dashboard(id: string): Promise<Dashboard>;
  addDashboard(content: DashboardContent): Promise<Dashboard>;
  /** Replaces all that a dashboard of yours states. Errors: serve.changed, with nothing saved, where another version is there than you changed. */
  changeDashboard(id: string, content: DashboardChange): Promise<Dashboard>;
  removeDashboard(id: string): Promise<void>;
  /** Offers an answer that you paid for to another person, who is charged for it when they receive it. */
  offer(requestId: string, to: string): Promise<Offer>;
  /** Receives what was offered to you: your caps pay what it cost, once, and so do those of the project that you name. With `made` nothing is paid: what you have not received is query.option, with its price as fields. */
  receive(offer: string, options?: { readonly project?: string; readonly made?: boolean }): Promise<Release>;
}

/** The service's id of a request, or your own name for it. */
export type RequestNamed = { readonly id: string } | { readonly requestId: string };

/**
 * Connects to a service. Nothing is sent yet.
 * @example
 * const lethe = connect({ url: "https://lethe.example.org", token: process.env.LETHE_TOKEN });
 * const { rows } = await lethe.ask("SELECT sector, AVG(wage) AS mean FROM people GROUP BY sector");
 */
export function connect({ url = "", token, fetch: fetcher = fetch }: ConnectOptions = {}): LetheClient {
  const base = url.replace(/\/+$/, "");
  const call = async (
    path: string,
    init: RequestInit & { readonly headers?: Record<string, string> } = {},
  ) => {
    const headers = {
      accept: "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...init.headers,
    };
    const response = await fetcher(`${base}/v1/${path}`, { ...init, headers });
    if (!response.ok) throw await problemIn(response);
    return response;
  };
  const send = (
    path: string,
    body: object,
    headers: Record<string, string> = {},
    signal: AbortSignal | undefined = undefined,
    method = "POST",
  ) =>
    call(path, {
      method,
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
      ...(signal === undefined ? {} : { signal }),
    });
  const post = (
    path: string,
    sql: string,
    { signal, requestId, ...stated }: AskOptions,
    accept = "application/json",
  ) => {
    const key: Record<string, string> = requestId === undefined ? {} : { "idempotency-key": requestId };
    return send(path, { sql, ...stated }, { accept, ...key }, signal);
  };
  const pathOf = (named: RequestNamed, end = ""): string =>
    "id" in named
      ? `requests/${encodeURIComponent(named.id)}${end}`
      : `requests/${encodeURIComponent(named.requestId)}${end}?by=key`;
  async function* pages<T>(path: string): AsyncGenerator<T, void, undefined> {
    let before: string | null = null;
    do {
      const query: string = before === null ? "" : `?before=${encodeURIComponent(before)}`;
      const page: { readonly items: readonly T[]; readonly before: string | null } = await json(
        call(`${path}${query}`),
      );
      yield* page.items;
      before = page.before;
    } while (before !== null);
  }
  const json = async <T>(response: Promise<Response>): Promise<T> => (await response).json() as Promise<T>;
  const release = (sql: string, options: AskOptions = {}): Promise<Release> =>
    json(post("query", sql, options));
  return {
    release,
    ask: async (sql, options = {}) => {
      const response = await post("query", sql, options);
      return answerIn((await response.json()) as Release, response.headers.get("date"));
    },
    csv: async (sql, options = {}) => (await post("query", sql, options, "text/csv")).text(),
    arrow: async (sql, options = {}) =>
      new Uint8Array(
        await (await post("query", sql, options, "application/vnd.apache.arrow.stream")).arrayBuffer(),
      ),
    explain: (sql, options = {}) => json(post("explain", sql, options)),
    describe: (sql) => json(post("describe", sql, {})),
    tables: async () => (await json<{ readonly items: readonly TableOffered[] }>(call("tables"))).items,
    budget: () => json(call("budget")),
    answerOf: (requestId) => json(call(`releases/${encodeURIComponent(requestId)}`)),
    requests: () => pages<RequestLine>("releases"),
    certificates: () => pages<SignedCertificate>("certificates"),
    request: (named) => json(call(pathOf(named))),
    stopWaiting: async (named) => {
      await call(pathOf(named, "/cancel"), { method: "POST" });
    },
    dashboards: async () => (await json<{ readonly items: readonly Dashboard[] }>(call("dashboards"))).items,
    dashboard: (id) => json(call(dashboardPath(id))),
    addDashboard: (content) => json(send("dashboards", content)),
    changeDashboard: (id, content) => json(send(dashboardPath(id), content, {}, undefined, "PUT")),
    removeDashboard: async (id) => {
      await call(dashboardPath(id), { method: "DELETE" });
    },
    offer: (requestId, to) => json(send(`releases/${encodeURIComponent(requestId)}/offers`, { to })),
    receive: (offer, options = {}) => json(send("received", { offer, ...options })),
  };
}

function dashboardPath(id: string): string {
  return `dashboards/${encodeURIComponent(id)}`;
}
