import { sql } from 'kysely'
import type { Db } from '#core/database/database.ts'
import { fold } from '#features/search/words.ts'
import { seededRandom } from './random.ts'
import { pages, searchers } from './search-rows.ts'
import { vocabulary } from './search-texts.ts'

// What is asked, and the answer of a simple program that reads every text.

interface Term {
  text: string
  isExact?: boolean
  isExcluded?: boolean
}
export interface Question {
  what: string
  q: string
  terms: readonly Term[]
}

interface Texts {
  ids: Int32Array
  /** Folded. */
  texts: string[]
  /** Of each searcher, whether the text can be seen. */
  seen: Map<number, Uint8Array>
}
export type Everything = Record<'message' | 'post', Texts>

interface Row {
  id: number
  user_id: number
  body: string | null
  place: number
  audience: string
}

/** Reads all texts, and who sees them, by the plainest rules: nobody is blocked or suspended. */
export async function readAll(db: Db): Promise<Everything> {
  const memberships = await pairsOf(db, 'conversation_members', 'user_id', 'conversation_id')
  const follows = await pairsOf(db, 'follows', 'follower_id', 'followed_id')
  const isIn = (searcher: number, place: number) => memberships.has(`${searcher} ${place}`)
  return {
    message: await read(
      db,
      'messages',
      `user_id, body, conversation_id as place, '' as audience`,
      (who, row) => isIn(who, row.place),
    ),
    post: await read(db, 'posts', 'user_id, body, group_id as place, audience', (who, row) =>
      row.user_id === who || row.audience === 'group'
        ? isIn(who, row.place) || row.user_id === who
        : row.audience !== 'followers' || follows.has(`${who} ${row.user_id}`),
    ),
  }
}

async function pairsOf(db: Db, table: string, left: string, right: string) {
  const { rows } = await sql<{ pair: string }>`select ${sql.ref(left)} || ' ' || ${sql.ref(right)} as pair
    from ${sql.table(table)} where ${sql.ref(left)} in (${sql.join(searchers.map(({ id }) => id))})`.execute(
    db,
  )
  return new Set(rows.map(({ pair }) => pair))
}

async function read(db: Db, table: string, columns: string, sees: (searcher: number, row: Row) => boolean) {
  const [ids, texts] = [[] as number[], [] as string[]]
  const seen = new Map(searchers.map(({ id }) => [id as number, [] as boolean[]]))
  for await (const row of pages<Row>(db, table, columns)) {
    ids.push(row.id)
    texts.push(fold(row.body ?? ''))
    for (const [searcher, of] of seen) of.push(sees(searcher, row))
  }
  return {
    ids: Int32Array.from(ids),
    texts,
    seen: new Map(Array.from(seen, ([searcher, of]) => [searcher, Uint8Array.from(of, Number)])),
  }
}

/** Letters and digits of scripts with spaces between their words. */
const isLetter = (character: string | undefined) =>
  character !== undefined &&
  /[\p{L}\p{N}\p{M}]/u.test(character) &&
  !/[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}ー々〆〇]/u.test(character)

function has(text: string, { text: term, isExact = false }: Term) {
  const begins = isLetter(term[0])
  const ends = isExact && isLetter(term.at(-1))
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1))
    if (!(begins && isLetter(text[at - 1])) && !(ends && isLetter(text[at + term.length]))) return true
  return false
}

/** The places in `texts` of those with all terms, newest first. */
export function scan({ texts }: Texts, { terms }: Question) {
  const found: number[] = []
  for (let at = texts.length - 1; at >= 0; at--)
    if (terms.every((term) => has(texts[at]!, term) !== (term.isExcluded ?? false))) found.push(at)
  return found
}

/** The signs around a word without quotes do not count. */
const edges = /^[.,:;?!。、・]+|[.,:;?!。、・]+$/g

/** About 300, the same for the same texts. */
export function questions({ message, post }: Everything): Question[] {
  const random = seededRandom(31)
  const { en, ja, katakana } = vocabulary()
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!
  const text = () => pick(random() < 0.9 ? message.texts : post.texts)
  /** A part of a text that the pattern finds. */
  const part = (pattern: RegExp) => {
    for (;;) {
      const found = pick([...text().matchAll(pattern)].map(([whole]) => whole))
      if (found && /[\p{L}\p{N}]/u.test(found)) return found
    }
  }
  const word = (typed: string): Question['terms'] =>
    typed
      .split(/[,、;；]/)
      .map((one) => ({ text: fold(one.replace(edges, '')) }))
      .filter((one) => one.text)
  const many = (what: string, count: number, make: () => Omit<Question, 'what'>): Question[] =>
    Array.from({ length: count }, () => ({ what, ...make() }))
  const one = (what: string, count: number, make: () => string) =>
    many(what, count, () => {
      const q = make()
      return { q, terms: word(q) }
    })
  const each = (what: string, list: readonly string[]): Question[] =>
    list.map((q) => ({ what, q, terms: word(q) }))
  const all = (what: string, count: number, make: () => string[]) =>
    many(what, count, () => {
      const typed = make()
      return { q: typed.join(' '), terms: typed.flatMap(word) }
    })
  const phrase = (typed: string) => ({ q: `"${typed}"`, terms: [{ text: fold(typed), isExact: true }] })
  const without = (typed: string, not: string) => ({
    q: `${typed} -${not}`,
    terms: [{ text: fold(typed) }, { text: fold(not), isExcluded: true }],
  })
  const han = /[[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]&&\p{L}]/gv
  const common = { ja: ['学校', '明日', '会議', '練習', 'の', 'で'], en: ['meeting', 'the', 'school', 'to'] }
  const middle = (list: readonly string[]) => pick(list.slice(20, 500))
  const rare = (list: readonly string[]) => pick(list.slice(3000))
  return [
    ...each('one kana', [...'のでにはをがともへたしまいん']),
    ...one('one character', 20, () => part(han)),
    ...each('frequent Japanese word', [
      '学校',
      '明日',
      '今日',
      '練習',
      '会議',
      '雨',
      '駅',
      'です',
      'ます',
      'カレー',
      'ﾗｰﾒﾝ',
    ]),
    ...one('Japanese word', 25, () => middle(ja)),
    ...one('rare Japanese word', 25, () => rare(random() < 0.7 ? ja : katakana)),
    ...one('part of a Japanese text', 25, () => part(/[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]{2,7}/gv)),
    ...one('two characters', 15, () => part(han) + part(han)),
    ...one(
      'impossible Japanese',
      10,
      () => pick(common.ja) + pick(['をを', 'のの', 'ぬ', 'がは学', '校校']) + pick(common.ja),
    ),
    ...each('frequent English word', ['meeting', 'the', 'to', 'a', 'school', 'tomorrow', 'i', 'MEETING']),
    ...one('English word', 15, () => middle(en)),
    ...one('rare English word', 20, () => rare(en)),
    ...one('beginning of a word', 20, () => middle(en).slice(0, 1 + Math.floor(random() * 4))),
    ...many('phrase', 15, () => phrase(part(/\p{scx=Latn}+ \p{scx=Latn}+(?: \p{scx=Latn}+)?/gv))),
    ...many('Japanese phrase', 10, () => phrase(part(/[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]{3,12}/gv))),
    ...many('impossible phrase', 8, () => phrase(`${pick(common.en)} ${pick(common.en)} ${middle(en)} the`)),
    ...all('two words', 15, () =>
      random() < 0.5 ? [pick(common.ja), middle(ja)] : [pick(common.en), middle(en)],
    ),
    ...all('frequent words', 8, () => [pick(common.ja), pick(common.ja), pick(common.en)]),
    ...all('impossible words', 8, () => [rare(ja), rare(en), pick(common.ja)]),
    ...many('without a word', 10, () => without(pick(common.ja), middle(ja))),
    ...many('without a frequent word', 10, () =>
      without(random() < 0.5 ? middle(ja) : middle(en), pick(['の', 'the', 'で'])),
    ),
    ...one('sign inside', 20, () => part(/[\p{L}\p{N}]{1,3}[。、！？!?.,:\/]\p{L}{1,3}/gv)),
    ...each('sign inside', [
      'です。明日',
      'ます。学校',
      '3:30',
      '12/5',
      '11月30日',
      'c++',
      'e-mail',
      'https://example.com/1',
      '#12',
      '🎉',
      '5年2組',
      'zoomで',
      'ＰＴＡ',
      'CAFÉ',
    ]),
    ...many('sign in quotes', 6, () => phrase(part(/[\p{L}\p{N}]{1,3}[。、!?]|[。、!?]\p{L}{1,3}/gv))),
    ...['の。', '。の'].map((typed) => ({ what: 'sign in quotes', ...phrase(typed) })),
    ...many('without, sign inside', 4, () => without(pick(common.ja), 'です。明日')),
  ]
}
