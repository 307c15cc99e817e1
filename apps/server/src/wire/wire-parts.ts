import type { PeopleDesk, PeopleStore, RandomBytes, Service } from "@lethe/serve";
import type { Admission } from "../http/admission.ts";
import type { RequestLine } from "../http/app-parts.ts";
import type { ServiceNode } from "../store/service-store.ts";

/** What PostgreSQL's wire is made of. */
export interface WireParts {
  readonly service: Service;
  readonly admission: Pick<Admission, "identify" | "admit" | "spend">;
  readonly desk: Pick<PeopleDesk, "signInByScram" | "signInByToken">;
  readonly people: PeopleStore;
  /** The most bytes of a question with its values. */
  readonly mostBytes: number;
  readonly rules: {
    /** Milliseconds without a message after which a connection ends. */
    readonly idleMs: number;
    /** Milliseconds after which a connection that was opened by a password ends. */
    readonly absoluteMs: number;
  };
  readonly random: RandomBytes;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** This process among those of the service; null where it is the only one. A connection may be called off at another one than its own. */
  readonly node: Pick<ServiceNode, "cancel" | "onCancel"> | null;
  /** Gets one line for each request: nothing of its question, of its answer, or of how long it took. */
  readonly log: (line: RequestLine) => void;
}
