import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import type { Db } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { type ExportRecord, type ExportSection, yieldPages } from '#core/feature/exports.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import type { Answer, Answers } from './contract.ts'
import * as polls from './rows.ts'
import type { OptionRow } from './tables.ts'

const texts = {
  en: {
    post: (id: number) => `Poll of post ${id}`,
    message: (id: number) => `Poll of message ${id}`,
    comes: { yes: 'Yes', maybe: 'Maybe', no: 'No' },
    guests: (n: number) => `With ${n} more`,
    options: 'Choices that you wrote',
    votes: 'Your votes',
  },
  ja: {
    post: (id: number) => `投稿 ${id} の投票`,
    message: (id: number) => `メッセージ ${id} の投票`,
    comes: { yes: '○', maybe: '△', no: '×' },
    guests: (n: number) => `ほか${n}人`,
    options: '書いた選択肢',
    votes: '投票した内容',
  },
} satisfies Record<Language, object>

const nameOf = ({ text, day, time }: Pick<OptionRow, 'text' | 'day' | 'time'>) =>
  text ?? [day, time].filter(Boolean).join(' ')

async function listOptions({ db, me }: MemberContext, page: PageParams) {
  const found = db
    .selectFrom('poll_options as o')
    .innerJoin('polls as p', 'p.id', 'o.poll_id')
    .select(['o.id', 'o.text', 'o.day', 'o.time', 'p.post_id', 'p.message_id'])
    .where('o.user_id', '=', me.id)
  const rows = await pageOf(found, sql`o.id + 0`, page, 'desc').execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) => shown,
  )
}

/** With the chosen options. Of a secret poll only until its end: then nobody knows them any more. */
async function listVotes({ db, me }: MemberContext, page: PageParams) {
  const found = db
    .selectFrom('poll_voters as v')
    .innerJoin('polls as p', 'p.id', 'v.poll_id')
    .selectAll('p')
    .where('v.user_id', '=', me.id)
  const rows = await pageOf(found, 'v.poll_id', page, 'desc').execute()
  const answers = await polls.answersOf(db, rows, [me.id])
  const options = await polls.listOptions(db, rows.length ? rows.map(({ id }) => id) : [0])
  const names = new Map(options.map((option) => [option.id, nameOf(option)]))
  return paged(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) =>
      shown.map(({ id, kind, post_id, message_id }) => {
        const said = answers.get(`${id} ${me.id}`)!
        return { ...{ post_id, message_id, kind }, ...said, answers: withNames(said, names) }
      }),
  )
}

const withNames = ({ answers }: Answers, names: ReadonlyMap<number, string>) =>
  answers.map(({ option, answer }) => ({ option: names.get(option) ?? '', answer }))

type Subject = { post_id: number | null; message_id: number | null }
const headingOf = ({ post_id, message_id }: Subject, lang: Language) =>
  post_id === null ? texts[lang].message(message_id!) : texts[lang].post(post_id)

async function* optionRecords(viewer: MemberContext, lang: Language) {
  for await (const rows of yieldPages((page) => listOptions(viewer, page)))
    yield rows.map(
      ({ id: _, ...option }): ExportRecord => ({
        data: option,
        heading: headingOf(option, lang),
        text: nameOf(option),
      }),
    )
}

async function* voteRecords(viewer: MemberContext, lang: Language) {
  const t = texts[lang]
  const line = (kind: string, option: string, answer: Answer) =>
    kind === 'choice' ? option : [option, t.comes[answer]].filter(Boolean).join(' ')
  for await (const rows of yieldPages((page) => listVotes(viewer, page)))
    yield rows.map(
      (vote): ExportRecord => ({
        data: vote,
        heading: headingOf(vote, lang),
        text: [
          ...vote.answers.map(({ option, answer }) => line(vote.kind, option, answer)),
          ...(vote.guests ? [t.guests(vote.guests)] : []),
          ...(vote.note === null ? [] : [vote.note]),
        ].join('\n'),
      }),
    )
}

async function countOf(db: Db, member: number) {
  const [votes, options] = await Promise.all(
    (['poll_voters', 'poll_options'] as const).map((table) =>
      db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll().as('count'))
        .where('user_id', '=', member)
        .executeTakeFirstOrThrow(),
    ),
  )
  return Number(votes!.count) + Number(options!.count)
}

export const exportSection: ExportSection = {
  title: { en: 'Polls', ja: '投票' },
  count: ({ db, me }) => countOf(db, me.id),
  async *documents(viewer, lang) {
    const t = texts[lang]
    const layout = 'list'
    yield { path: 'poll-votes', title: t.votes, layout, pages: () => voteRecords(viewer, lang) }
    yield { path: 'poll-choices', title: t.options, layout, pages: () => optionRecords(viewer, lang) }
  },
}
