/** Made when the first text is cut, because it loads a dictionary. */
let graphemes: Intl.Segmenter | undefined

/** The index in UTF-16 units after `count` code points, or the length of a shorter text. */
function indexAfter(text: string, count: number) {
  let index = 0
  for (let left = count; left > 0 && index < text.length; left--)
    index += text.codePointAt(index)! > 0xffff ? 2 : 1
  return index
}

/** The largest index up to `index` (in UTF-16 units) where no grapheme is torn apart. */
export function graphemeStart(text: string, index: number) {
  const from = Math.max(0, index - MAX_GRAPHEME)
  graphemes ??= new Intl.Segmenter()
  const near = graphemes.segment(text.slice(from, index + MAX_GRAPHEME)).containing(index - from)
  return from + (near?.index ?? index - from)
}
/** In UTF-16 units: longer ones are torn apart. */
const MAX_GRAPHEME = 32

/**
 * A text of at most `max` code points. A longer one is cut between two graphemes, so that no emoji, flag or
 * accent is torn apart, and ends with `end`. Only `max + 1` code points of it are read, so a caller may give
 * that many of a longer one. One huge grapheme is cut between its code points.
 */
export function shorten(text: string, max: number, end = '…') {
  if (indexAfter(text, max) === text.length) return text
  const most = indexAfter(text, max - [...end].length)
  graphemes ??= new Intl.Segmenter()
  const cut = graphemes.segment(text.slice(0, most + 2)).containing(most)?.index || most
  return text.slice(0, cut).trimEnd() + end
}
