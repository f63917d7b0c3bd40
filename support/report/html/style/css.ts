/** Marks style sheets, for editors and readers. */
export const css = String.raw
