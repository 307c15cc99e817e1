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
  /** Sends a request as `call` does, and returns the bytes of its answer in a media type. */
  readonly bytes: (
    method: string,
    path: string,
    accept: string,
    body?: object,
  ) => Promise<Uint8Array<ArrayBuffer>>;
  /** Returns who is signed in, or null. */
  readonly me: () => Promise<Me | null>;
  readonly begin: (name: string, password: string) => Promise<void>;
  readonly end: () => Promise<void>;
  /** Tells that the session has ended by what its visitor did, such as a change of their password. */
  readonly ended: () => void;
  /** Sets what is told when the service no longer knows the session. */
  readonly onEnded: (told: () => void) => void;
}

/** Returns the service of this page. What is answered with 401 tells that the session has ended, but for a wrong password. */
export function ownService(): OwnService {
  let ended = (): void => {};
  const watched: typeof fetch = async (path, init) => {
    const response = await fetch(path, init);
    if (response.status === 401 && !(await isWrongPassword(response.clone()))) ended();
    return response;
  };
  const call = async <T>(method: string, path: string, body?: object, signal?: AbortSignal): Promise<T> =>
    bodyIn<T>(await send(watched, { method, path, body, signal }));
  const bytes: OwnService["bytes"] = async (method, path, accept, body) =>
    new Uint8Array(await (await send(watched, { method, path, accept, body })).arrayBuffer());
  return {
    lethe: connect({ fetch: watched }),
    call,
    bytes,
    me: async () => {
      const response = await fetch("/v1/me");
      if (response.status === 401) {
        // A body that nobody reads keeps its connection.
        await response.text();
        return null;
      }
      if (!response.ok) throw await problemIn(response);
      return (await response.json()) as Me;
    },
    begin: async (name, password) =>
      void (await send(fetch, { method: "POST", path: "session", body: { name, password } })),
    end: async () => void (await send(fetch, { method: "DELETE", path: "session" })),
    ended: () => ended(),
    onEnded: (told) => {
      ended = told;
    },
  };
}

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly accept?: string;
  readonly body?: object | undefined;
  readonly signal?: AbortSignal | undefined;
}

async function send(
  by: typeof fetch,
  { method, path, accept = json, body, signal }: Sent,
): Promise<Response> {
  const response = await by(`/v1/${path}`, {
    method,
    headers: { "content-type": json, accept },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (!response.ok) throw await problemIn(response);
  return response;
}

const json = "application/json";

async function bodyIn<T>(response: Response): Promise<T> {
  const text = await response.text();
  return (text === "" ? null : JSON.parse(text)) as T;
}

/** Whether a refusal is of a password that was asked for, as for a change of one's own: the session goes on. */
async function isWrongPassword(response: Response): Promise<boolean> {
  return (await problemIn(response)).code === "serve.sign-in";
}
