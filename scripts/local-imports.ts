import type { Plugin } from "vitest/config";

/** Tests that replace modules, whose imports Vitest moves by itself. */
const replaces = /\bvi\s*\.(mock|doMock|hoisted)\(/;

/**
 * Binds what a module imports to constants of its own. Vite's runner reads every use of an import through a getter, and through one more for
 * each re-export, which V8 does not see through: inner loops that call a small function for every element took several times as long.
 * Sound where imports make no circle and no export is assigned to again, as in this house. All lines stay where they are.
 */
export function localImports(): Plugin {
  return {
    name: "lethe:local-imports",
    enforce: "post",
    transform(code, id) {
      if (/[\\/]node_modules[\\/]|\0|\?/.test(id) || replaces.test(code)) return null;
      let made = code;
      for (const statement of this.parse(code).body.toReversed()) {
        if (statement.type !== "ImportDeclaration") continue;
        const named = statement.specifiers.filter(({ type }) => type !== "ImportNamespaceSpecifier");
        const constants = named.map(({ local: { name } }) => ` const ${name} = imported_${name};`).join("");
        made = `${made.slice(0, statement.end)}${constants}${made.slice(statement.end)}`;
        for (const one of named.toReversed()) {
          const from =
            one.type === "ImportSpecifier" ? `${code.slice(one.imported.start, one.imported.end)} as ` : "";
          made = `${made.slice(0, one.start)}${from}imported_${one.local.name}${made.slice(one.end)}`;
        }
      }
      return made === code ? null : { code: made, map: null };
    },
  };
}
