/**
 * Returns how many letters must be added, removed, changed or swapped to turn one text into another
 * (Damerau).
 */
function countEdits(from: string, to: string) {
  let [before, previous]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, at) => at)]
  for (let row = 1; row <= from.length; row++) {
    const next = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      next[column] = Math.min(
        previous[column]! + 1,
        next[column - 1]! + 1,
        previous[column - 1]! + (isSame ? 0 : 1),
        isSwapped ? before[column - 2]! + 1 : Number.POSITIVE_INFINITY,
      )
    }
    ;[before, previous] = [previous, next]
  }
  return previous[to.length]!
}

const LONGEST = 64

/**
 * Returns the name with the fewest edits from `given`, and at most `most` of them; undefined if there is
 * none.
 */
export function findNearestName(given: string, names: readonly string[], most: number) {
  if (given.length > LONGEST) return undefined
  const found = names.map((name) => ({ name, edits: countEdits(given, name) }))
  return found.filter(({ edits }) => edits <= most).sort((a, b) => a.edits - b.edits)[0]?.name
}
