import type { MemberContext } from '#core/context.ts'
import type { Language, PaginationParameters } from '#core/contract.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import {
  type DataExportLabelledValue,
  type DataExportRecord,
  type DataExportSection,
  yieldAllKeysetPages,
} from '#core/exports.ts'
import { toPagedResponse } from '#core/http/pagination.ts'

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
    subject: { message: 'メッセージ', notification: 'お知らせ', digest: '新着のメール' },
    result: '結果',
    reason: '理由',
    device: '端末',
  },
} satisfies Record<Language, object>

/** Lists the stored steps of push messages to the viewer and of the viewer's digests, oldest first. */
async function listOwnSteps({ db, me }: MemberContext, page: PaginationParameters) {
  const found = db
    .selectFrom('delivery_steps')
    .select(['id', 'subject_kind', 'subject_id', 'channel', 'outcome', 'reason'])
    .select(['until_time', 'device', 'created_at'])
    .where('user_id', '=', me.id)
  const rows = await limitQueryToKeysetPagePlusOneRow(found, 'id', page).execute()
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown) => shown,
  )
}

/**
 * The part of a member's data export with the delivery steps of push messages and digests of the last seven
 * days.
 */
export const deliveryExportSection: DataExportSection = {
  title: { en: texts.en.title, ja: texts.ja.title },
  count: async () => 1,
  async *documents(viewer, lang) {
    const t = texts[lang]
    const toFact = (label: string, value: string | null): DataExportLabelledValue[] =>
      value === null ? [] : [[label, value]]
    yield {
      path: 'deliveries',
      title: t.title,
      layout: 'list',
      async *pages() {
        for await (const steps of yieldAllKeysetPages((page) => listOwnSteps(viewer, page)))
          yield steps.map(
            ({ id: _, ...step }): DataExportRecord => ({
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
