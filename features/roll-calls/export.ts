import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { pageOf } from '#core/database/keyset.ts'
import { type ExportRecord, type ExportSection, yieldOnePage, yieldPages } from '#core/feature/exports.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import * as phones from './phones.ts'
import { stateLabels } from './states-contract.ts'

const texts = {
  en: {
    title: 'Roll calls',
    phone: 'Telephone number',
    everyone: 'Shown to all members',
    owners: 'Shown to admins and owners of groups',
    nobody: 'Shown to nobody',
    place: 'Place',
    drill: 'Drill',
    byGuardian: 'Answered by a guardian',
    forChild: 'Answered for a child',
  },
  ja: {
    title: '安否確認',
    phone: '電話番号',
    everyone: 'すべてのメンバーに表示',
    owners: '管理者とグループのまとめ役に表示',
    nobody: 'だれにも表示しない',
    place: '場所',
    drill: '訓練',
    byGuardian: '保護者による回答',
    forChild: 'お子さまについての回答',
  },
} satisfies Record<Language, object>

/** About the viewer, and those that the viewer gave for a child. Oldest first. */
async function listAnswers({ db, me }: MemberContext, page: PageParams) {
  const found = db
    .selectFrom('roll_call_answers as a')
    .innerJoin('roll_calls as c', 'c.id', 'a.roll_call_id')
    .select(['a.id', 'a.user_id', 'a.state', 'a.words', 'a.place', 'a.answered_by', 'a.created_at'])
    .select(['c.title', 'c.is_drill'])
    .where(({ or, eb }) => or([eb('a.user_id', '=', me.id), eb('a.answered_by', '=', me.id)]))
  const rows = await pageOf(found, 'a.id', page).execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown) => shown,
  )
}
type Row = Awaited<ReturnType<typeof listAnswers>>['body'][number]

function toRecord(me: number, lang: Language, { id: _, is_drill, ...row }: Row): ExportRecord {
  const t = texts[lang]
  const { user_id, answered_by, ...data } = row
  const note = user_id !== me ? t.forChild : answered_by === me ? undefined : t.byGuardian
  return {
    data: { ...data, is_drill: Boolean(is_drill) },
    heading: is_drill ? `${t.drill}: ${row.title}` : row.title,
    time: row.created_at,
    text: row.words,
    facts: [[t.title, stateLabels[lang][row.state]], ...(row.place ? [[t.place, row.place] as const] : [])],
    note,
  }
}

async function readPhone(viewer: MemberContext, lang: Language): Promise<ExportRecord[]> {
  const phone = await phones.getOwn(viewer)
  if (phone.number === null) return []
  const t = texts[lang]
  return [{ data: phone, facts: [[t.phone, phone.number]], note: t[phone.shown_to] }]
}

export const exportSection: ExportSection = {
  title: { en: texts.en.title, ja: texts.ja.title },
  count: async () => 1,
  async *documents(viewer, lang) {
    yield {
      path: 'telephone',
      title: texts[lang].phone,
      layout: 'start',
      pages: () => yieldOnePage(() => readPhone(viewer, lang)),
    }
    yield {
      path: 'roll-calls',
      title: texts[lang].title,
      layout: 'list',
      async *pages() {
        for await (const rows of yieldPages((page) => listAnswers(viewer, page)))
          yield rows.map((row) => toRecord(viewer.me.id, lang, row))
      },
    }
  },
}
