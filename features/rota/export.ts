import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type ExportRecord, type ExportSection, yieldPages } from '#core/feature/exports.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import { dates } from '#features/events/rows.ts'

const texts = {
  en: { task: 'Task', car: 'Car', added: 'Added by you', joined: 'Joined' },
  ja: { task: '当番', car: '車', added: '自分が追加', joined: '参加' },
} satisfies Record<Language, object>

/** Jobs that the member has added or joined. */
const own = ({ db, me }: MemberContext) =>
  dates(db)
    .innerJoin('rota_jobs as j', 'j.date_id', 'd.id')
    .leftJoin('rota_people as p', (on) => on.onRef('p.job_id', '=', 'j.id').on('p.user_id', '=', me.id))
    .where(({ or, eb }) => or([eb('j.user_id', '=', me.id), eb('p.user_id', '=', me.id)]))

async function list(viewer: MemberContext, { limit, before }: PageParams) {
  const rows = await own(viewer)
    .clearSelect()
    .select(['j.id', 'j.kind', 'j.title', 'j.places', 'j.user_id', 'd.title as event', 'd.begins'])
    .select('p.joined_at')
    .$if(before !== undefined, (query) => query.where('j.id', '<', before!))
    .orderBy('j.id', 'desc')
    .limit(limit + 1)
    .execute()
  return paged(
    rows,
    limit,
    (last) => ({ before: last.id }),
    (shown) => shown,
  )
}

async function* records(viewer: MemberContext, lang: Language) {
  const t = texts[lang]
  for await (const rows of yieldPages((page) => list(viewer, page)))
    yield rows.map(({ id: _, user_id, ...job }): ExportRecord => {
      const isOwn = user_id === viewer.me.id
      return {
        data: { ...job, is_own: isOwn },
        heading: `${job.begins.replace('T', ' ')} ${job.event}`,
        text: [
          `${t[job.kind]}: ${job.title}`,
          ...(isOwn ? [t.added] : []),
          ...(job.joined_at === null ? [] : [t.joined]),
        ].join('\n'),
      }
    })
}

export const exportSection: ExportSection = {
  title: { en: 'Tasks and cars', ja: '当番・配車' },
  async count(viewer) {
    const { count } = await own(viewer)
      .clearSelect()
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  },
  async *documents(viewer, lang) {
    const title = { en: 'Your tasks and cars', ja: '当番・配車' }[lang]
    yield { path: 'event-rota', title, layout: 'list', pages: () => records(viewer, lang) }
  },
}
