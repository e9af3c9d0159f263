import { shorten } from './shorten.ts'

// Light formatting that a text carries as it is written: lines that begin with `- ` are a list, lines that
// begin with `> ` a quote, and `**words**` are bold. All else stays plain.

export interface Block {
  kind: 'text' | 'list' | 'quote'
  lines: readonly string[]
}
const marks = { '- ': 'list', '> ': 'quote' } as const
const kindOf = (line: string): Block['kind'] => marks[line.slice(0, 2) as keyof typeof marks] ?? 'text'

/** The marks of lists and quotes are left out, and so are empty lines before and after them. */
export function splitBlocks(text: string): Block[] {
  const blocks: { kind: Block['kind']; lines: string[] }[] = []
  for (const line of text.split('\n')) {
    const kind = kindOf(line)
    if (blocks.at(-1)?.kind !== kind) blocks.push({ kind, lines: [] })
    blocks.at(-1)!.lines.push(kind === 'text' ? line : line.slice(2))
  }
  if (blocks.length === 1) return blocks
  return blocks.filter(({ kind, lines }) => kind !== 'text' || trimEmpty(lines))
}

/** False if nothing is left. */
function trimEmpty(lines: string[]) {
  while (lines[0] === '') lines.shift()
  while (lines.at(-1) === '') lines.pop()
  return lines.length > 0
}

const MARK = '**'
const isWord = (letter = '') => /[\w/]/.test(letter)

/**
 * The odd ones are bold. A pair of marks is on one line, with no space directly inside and no letter, digit or
 * slash directly outside of it: `2**10`, and addresses with stars, stay as they are.
 */
export function splitBold(text: string): string[] {
  const parts = ['']
  let rest = 0
  for (let open = text.indexOf(MARK); open >= 0; ) {
    const close = text.indexOf(MARK, open + MARK.length)
    if (close < 0) break
    const inside = text.slice(open + MARK.length, close)
    const isBold =
      /^\S/.test(inside) &&
      /\S$/.test(inside) &&
      !inside.includes('\n') &&
      !isWord(text[open - 1]) &&
      !isWord(text[close + MARK.length])
    if (isBold) {
      parts.push(inside, '')
      parts[parts.length - 3] += text.slice(rest, open)
      rest = close + MARK.length
    }
    open = isBold ? text.indexOf(MARK, rest) : close
  }
  parts[parts.length - 1] += text.slice(rest)
  return parts
}

const starts = { text: '', list: '・', quote: '' } satisfies Record<Block['kind'], string>

/** The beginning of a text, for a list or a notification, where marks would only be noise. */
export const excerpt = (text: string, max: number) =>
  shorten(
    splitBlocks(text)
      .flatMap(({ kind, lines }) => lines.map((line) => starts[kind] + splitBold(line).join('')))
      .join('\n'),
    max,
  )
