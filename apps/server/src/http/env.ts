import type { Principal } from "@lethe/serve";
import type { Span } from "@opentelemetry/api";

/** What a request carries on its way through the routes. */
export interface Env {
  readonly Variables: {
    /** Who sends it; undefined until that is known. */
    who: Principal | undefined;
    /** Whether it drew from a rate. */
    admitted: boolean | undefined;
    /** Its span, until it is let in. */
    span: Span | undefined;
    /** The text of its question, for the place of an error. */
    question: string | undefined;
  };
  readonly Bindings: {
    /** The address that it comes from. */
    readonly address: string;
  };
}
