import { foldNameForSearch } from '#core/text/fold-names.ts'
import type { ListedUser } from '../contract.ts'

const rows = ['あいうえおぁぃぅぇぉ', 'かきくけこゕゖ', 'さしすせそ', 'たちつてとっ', 'なにぬねの'].concat([
  'はひふへほ',
  'まみむめも',
  'やゆよゃゅょ',
  'らりるれろ',
  'わゐゑをんゎ',
])

/** `か` for the row of か in the order of 五十音, `A` for Latin letters, null for the others. */
function initialOf({ name, reading }: ListedUser) {
  const [first = ''] = foldNameForSearch(reading ?? name).normalize('NFD')
  if (/[a-z]/.test(first)) return 'A'
  return rows.find((row) => row.includes(first))?.[0] ?? null
}

/** Of people who are sorted by name. */
export function groupByInitial(people: readonly ListedUser[]) {
  const groups: { initial: string | null; people: ListedUser[] }[] = []
  for (const person of people) {
    const initial = initialOf(person)
    const last = groups.at(-1)
    if (last?.initial === initial) last.people.push(person)
    else groups.push({ initial, people: [person] })
  }
  return groups
}
