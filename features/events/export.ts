import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { pageOf } from '#core/database/keyset.ts'
import { type ExportRecord, type ExportSection, yieldPages } from '#core/feature/exports.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'

const texts = {
  en: {
    yes: 'Yes',
    maybe: 'Maybe',
    no: 'No',
    waiting: 'Waiting for a place',
    guests: (n: number) => `With ${n} more`,
  },
  ja: {
    yes: '○ 参加',
    maybe: '△ 未定',
    no: '× 不参加',
    waiting: '空き待ち',
    guests: (n: number) => `ほか${n}人`,
  },
} satisfies Record<Language, object>

async function list({ db, me }: MemberContext, page: PageParams) {
  const found = db
    .selectFrom('event_answers as a')
    .innerJoin('event_dates as d', 'd.id', 'a.date_id')
    .select([
      'd.id',
      'd.title',
      'd.place',
      'd.begins',
      'a.answer',
      'a.guests',
      'a.note',
      'a.queue',
      'a.answered_at',
    ])
    .where('a.user_id', '=', me.id)
  const rows = await pageOf(found, 'a.date_id', page, 'desc').execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown) => shown,
  )
}

async function* records(viewer: MemberContext, lang: Language) {
  const t = texts[lang]
  for await (const rows of yieldPages((page) => list(viewer, page)))
    yield rows.map(
      ({ id: _, queue, ...said }): ExportRecord => ({
        data: { ...said, is_waiting: queue !== null },
        heading: `${said.begins.replace('T', ' ')} ${said.title}`,
        text: [
          queue === null ? t[said.answer] : t.waiting,
          ...(said.guests ? [t.guests(said.guests)] : []),
          ...(said.note === null ? [] : [said.note]),
        ].join('\n'),
      }),
    )
}

export const exportSection: ExportSection = {
  title: { en: 'Events', ja: '予定' },
  async count({ db, me }) {
    const { count } = await db
      .selectFrom('event_answers')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('user_id', '=', me.id)
      .executeTakeFirstOrThrow()
    return Number(count)
  },
  async *documents(viewer, lang) {
    const title = { en: 'Your answers', ja: '出欠の回答' }[lang]
    yield { path: 'event-answers', title, layout: 'list', pages: () => records(viewer, lang) }
  },
}
