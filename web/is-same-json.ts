/** Data that arrives unchanged keeps its object, so that React does not render it again. */
export const isSameJson = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
