export const oidcBegin = "/v1/sign-in/oidc";
export const oidcCallback = "/v1/sign-in/oidc/callback";

/** The paths below /v1 that nobody needs to be signed in for: they are where one signs in. */
export const openPaths: ReadonlySet<string> = new Set(["/v1/session", oidcBegin, oidcCallback]);
