/** The roles, each a list of what one may do. One person may have several roles; a token carries some of its person's. */
export const roles = ["owner", "analyst", "auditor", "operator"] as const;

export type Role = (typeof roles)[number];

/** Whether a text is one of the {@link roles}. */
export function isRole(text: string): text is Role {
  return roles.some((role) => role === text);
}
