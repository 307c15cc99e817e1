/** Zod compiles its checks where it may, and the thread may not: that it tries would be reported as a breach of what the script may do. It reads this before its first check. */
(globalThis as { __zod_globalConfig?: { readonly jitless: boolean } }).__zod_globalConfig = { jitless: true };
