/**
 * Whether a text asks only which tables and columns there are. Such a text has no plan and no price.
 * @example asksCatalog("SHOW TABLES;") // => true
 */
export function asksCatalog(sql: string): boolean {
  return /^\s*(?:show\s+tables|describe\s+(?:"(?:[^"]|"")+"|\w+)(?:\.(?:"(?:[^"]|"")+"|\w+))?)\s*;?\s*$/i.test(
    sql,
  );
}
