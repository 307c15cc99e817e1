export { type CookieForm, pendingCookie, readCookie, sessionCookie, setCookie } from "./cookie.ts";
export { identify, type Place, type SenderHeaders } from "./identify.ts";
export { isSameOrigin, requireOwnPlace, requireSameOrigin, type SentBy } from "./same-origin.ts";
export {
  closeSession,
  mostSessions,
  openSession,
  principalOfSession,
  revokeSession,
  type SessionHouse,
  type SessionRules,
  sessionRules,
  sessionsOf,
} from "./session.ts";
export type { Session, SessionStore } from "./session-store.ts";
export { sessionsInMemory } from "./sessions-in-memory.ts";
