import { connect, type LetheClient, problemIn } from "@lethe/client";
import type { Me } from "./me.ts";

/** The service that served this page, asked by the visitor's session: a cookie that the page itself cannot read. */
export interface OwnService {
  readonly lethe: LetheClient;
  /** Sends a request to /v1, and returns the body of its answer; null where there is none. Errors: a LetheProblem. */
  readonly call: <T = unknown>(
    method: string,
    path: string,
    body?: object,
    signal?: AbortSignal,
  ) => Promise<T>;
  /** Returns who is signed in, or null. */
  readonly me: () => Promise<Me | null>;
  readonly begin: (name: string, password: string) => Promise<void>;
  readonly end: () => Promise<void>;
  /** Sets what is told when the service no longer knows the session. */
  readonly onEnded: (told: () => void) => void;
}

/** Returns the service of this page. Whatever is answered with 401 tells that the session has ended. */
export function ownService(): OwnService {
  let ended = (): void => {};
  const watched: typeof fetch = async (path, init) => {
    const response = await fetch(path, init);
    if (response.status === 401) ended();
    return response;
  };
  const call = async <T>(method: string, path: string, body?: object, signal?: AbortSignal): Promise<T> =>
    bodyIn<T>(await send(watched, method, path, body, signal));
  return {
    lethe: connect({ fetch: watched }),
    call,
    me: async () => {
      const response = await fetch("/v1/me");
      if (response.status === 401) return null;
      if (!response.ok) throw await problemIn(response);
      return (await response.json()) as Me;
    },
    begin: async (name, password) => void (await send(fetch, "POST", "session", { name, password })),
    end: async () => void (await send(fetch, "DELETE", "session")),
    onEnded: (told) => {
      ended = told;
    },
  };
}

async function send(
  by: typeof fetch,
  method: string,
  path: string,
  body?: object,
  signal?: AbortSignal,
): Promise<Response> {
  const response = await by(`/v1/${path}`, {
    method,
    // The service tells by it that a page of its own sends what changes something.
    headers: { "content-type": "application/json", accept: "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (!response.ok) throw await problemIn(response);
  return response;
}

async function bodyIn<T>(response: Response): Promise<T> {
  const text = await response.text();
  return (text === "" ? null : JSON.parse(text)) as T;
}
