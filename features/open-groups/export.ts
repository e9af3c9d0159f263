import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { pageOf } from '#core/database/keyset.ts'
import { type ExportRecord, type ExportSection, yieldPages } from '#core/feature/exports.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import { allQuery } from '#features/groups/read.ts'

const texts = {
  en: {
    title: 'Requests to join groups',
    waiting: 'Waits for an answer',
    accepted: 'Accepted',
    declined: 'Declined',
    state: 'State',
  },
  ja: {
    title: 'グループへの参加の申し込み',
    waiting: '返事待ち',
    accepted: '承認',
    declined: '断られた',
    state: '状態',
  },
} satisfies Record<Language, object>

/** Those that the viewer has made. Who has decided stays the group's. */
async function listOwn({ db, me }: MemberContext, page: PageParams) {
  const found = allQuery(db)
    .innerJoin('group_requests as r', 'r.group_id', 'c.id')
    .select(['r.id', 'r.group_id', 'c.name', 'r.created_at', 'r.decision', 'r.decided_at'])
    .where('r.user_id', '=', me.id)
  const rows = await pageOf(found, 'r.id', page).execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown) => shown,
  )
}
type Row = Awaited<ReturnType<typeof listOwn>>['body'][number]

function toRecord(lang: Language, { id: _, ...row }: Row): ExportRecord {
  const t = texts[lang]
  return {
    data: row,
    heading: row.name!,
    time: row.created_at,
    facts: [[t.state, t[row.decision ?? 'waiting']]],
  }
}

export const exportSection: ExportSection = {
  title: { en: texts.en.title, ja: texts.ja.title },
  count: async () => 1,
  async *documents(viewer, lang) {
    yield {
      path: 'group-requests',
      title: texts[lang].title,
      layout: 'list',
      async *pages() {
        for await (const rows of yieldPages((page) => listOwn(viewer, page)))
          yield rows.map((row) => toRecord(lang, row))
      },
    }
  },
}
