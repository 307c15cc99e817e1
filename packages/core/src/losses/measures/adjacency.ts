/** The relation that makes two data sets neighbours: one unit more or less, or one unit's rows replaced by another's. */
export type Adjacency = "add-or-remove-one" | "replace-one";
