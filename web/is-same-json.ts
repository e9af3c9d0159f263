/**
 * Returns whether two values have the same JSON. Code that receives the same data again uses it to keep the
 * object that it has, so that React does not render the same content again.
 */
export const isSameJson = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
