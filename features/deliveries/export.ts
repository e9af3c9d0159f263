import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { pageOf } from '#core/database/keyset.ts'
import { type ExportRecord, type ExportSection, type ExportValue, yieldPages } from '#core/feature/exports.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'

const texts = {
  en: {
    title: 'How notifications reached you',
    subject: { message: 'Message', notification: 'Notification', digest: 'Mail about what is new' },
    result: 'Result',
    reason: 'Reason',
    device: 'Device',
  },
  ja: {
    title: '通知の届きかた',
    subject: { message: 'メッセージ', notification: '通知', digest: '新着まとめメール' },
    result: '結果',
    reason: '理由',
    device: '端末',
  },
} satisfies Record<Language, object>

/** Push messages and digests, oldest first. */
async function listOwnSteps({ db, me }: MemberContext, page: PageParams) {
  const found = db
    .selectFrom('delivery_steps')
    .select(['id', 'subject_kind', 'subject_id', 'channel', 'outcome', 'reason'])
    .select(['until_time', 'device', 'created_at'])
    .where('user_id', '=', me.id)
  const rows = await pageOf(found, 'id', page).execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown) => shown,
  )
}

/** The last seven days. */
export const exportSection: ExportSection = {
  title: { en: texts.en.title, ja: texts.ja.title },
  count: async () => 1,
  async *documents(viewer, lang) {
    const t = texts[lang]
    const toFact = (label: string, value: string | null): ExportValue[] =>
      value === null ? [] : [[label, value]]
    yield {
      path: 'deliveries',
      title: t.title,
      layout: 'list',
      async *pages() {
        for await (const steps of yieldPages((page) => listOwnSteps(viewer, page)))
          yield steps.map(
            ({ id: _, ...step }): ExportRecord => ({
              data: step,
              heading: t.subject[step.subject_kind],
              time: step.created_at,
              facts: [
                [t.result, step.outcome],
                ...toFact(t.reason, step.reason),
                ...toFact(t.device, step.device),
              ],
            }),
          )
      },
    }
  },
}
