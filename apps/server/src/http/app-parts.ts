import type { OpenAPIHono } from "@hono/zod-openapi";
import type { DashboardsDesk, PeopleDesk, RecordsDesk, Service } from "@lethe/serve";
import type { ProviderSignIns } from "../oidc/provider-sign-ins.ts";
import type { Admission } from "./admission.ts";
import type { Env } from "./env.ts";

export type App = OpenAPIHono<Env>;

/** What the HTTP service is made of. */
export interface AppParts {
  readonly service: Service;
  readonly admission: Admission;
  readonly desk: PeopleDesk;
  readonly records: RecordsDesk;
  readonly dashboards: DashboardsDesk;
  /** Sign-ins by a provider of identities; null where the service has none. */
  readonly provider: ProviderSignIns | null;
  /** Whether people may sign in by passwords, so that the page asks for them. */
  readonly passwords: boolean;
  /** The most bytes of a request's body. */
  readonly mostBytes: number;
  /** Whether browsers reach the service over TLS, which they are then told to keep to. */
  readonly tls: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Gets one line for each request: nothing of its question, of its answer, or of how long it took. */
  readonly log: (line: RequestLine) => void;
}

/** What is told of a request in the service's log. */
export interface RequestLine {
  /** When it came, in milliseconds since 1970: when it was answered would tell how long that took. */
  readonly at: number;
  readonly method: string;
  /** The route as it is written, such as /v1/releases/{id}: never the path that was sent. */
  readonly route: string;
  readonly status: number;
  readonly principal: string | null;
}
