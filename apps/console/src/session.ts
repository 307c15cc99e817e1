import { problemIn } from "@lethe/client";

/** Who is signed in. */
export interface Me {
  readonly name: string;
  readonly roles: readonly string[];
}

/** The visitor's session: a cookie that the page itself cannot read. */
export interface Session {
  /** Returns who is signed in, or null. */
  me(): Promise<Me | null>;
  begin(name: string, password: string): Promise<void>;
  end(): Promise<void>;
}

/** Returns the session of the service that served this page. */
export function ownSession(): Session {
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(path, { ...init, headers: { "content-type": "application/json" } });
    if (!response.ok) throw await problemIn(response);
    return response;
  };
  return {
    me: async () => {
      const response = await fetch("/v1/me");
      return response.ok ? ((await response.json()) as Me) : null;
    },
    begin: async (name, password) => {
      await send("/v1/session", { method: "POST", body: JSON.stringify({ name, password }) });
    },
    end: async () => {
      await send("/v1/session", { method: "DELETE" });
    },
  };
}
