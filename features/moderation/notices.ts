import type { AppContext, MemberContext } from '#core/context.ts'
import type { Language, PaginationParameters } from '#core/contract.ts'
import { currentIsoTime, hasMatchingRow, type Tx } from '#core/database/database.ts'
import { limitQueryToKeysetPagePlusOneRow } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import { httpErrorFactories } from '#core/http/errors.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import { enqueueMail } from '#core/mail/mail.ts'
import { renderMailMessage } from '#core/mail/template.ts'
import type { NoticeAboutChildKind } from '#features/guardians/contract.ts'
import { recordNoticeAboutChild } from '#features/guardians/notices.ts'
import { readMemberLanguage } from '#features/people/languages.ts'
import { readNameHandleEmailAndVerifiedTime } from '#features/people/read.ts'
import type { MemberViewerContext } from '#features/people/visibility.ts'
import {
  MAX_MODERATION_NOTICES_PER_RESPONSE,
  type ModerationDecisionAction,
  type ModerationNotice,
  type ReportSubjectKind,
} from './contract.ts'

// This file handles the notices of moderators to members. A member sees a notice at the next visit, and
// acknowledges it.

const mailTexts = {
  en: {
    subject: (app: string) => `A message of the moderators of ${app}`,
    text: 'The moderators have decided about something that concerns you. Please read their message.',
    button: 'Read the message',
  },
  ja: {
    subject: (app: string) => `【${app}】モデレーターからのお知らせ`,
    text: 'モデレーターが、あなたに関することについて対応を決めました。お知らせをお読みください。',
    button: 'お知らせを読む',
  },
} satisfies Record<Language, object>

/**
 * The kinds of the notices that the guardians of a child get about decisions. Suspensions are missing,
 * because a listener of `member.suspended` stores the notice about them.
 */
const childNoticeKinds: Partial<Record<ModerationDecisionAction, NoticeAboutChildKind>> = {
  warn: 'warned',
  hide: 'content_hidden',
  restore: 'content_restored',
  delete: 'content_deleted',
}

interface NewNotice {
  author_id: number
  action: ModerationDecisionAction
  kind: ReportSubjectKind
  excerpt: string | null
  note: string
}

/**
 * Stores a moderation notice for a member, and tells the member by mail that there is one. The mail has no
 * details. If the member is a child, also stores a notice for the guardians, unless the decision is a
 * suspension. `lang` is the language of the mail for a member whose language is unknown.
 */
export async function createAndMailModerationNotice(
  context: AppContext & { lang: Language },
  tx: Tx,
  { author_id: user_id, action, kind, excerpt, note }: NewNotice,
) {
  await tx
    .insertInto('moderation_notices')
    .values({ user_id, action, kind, excerpt, note, created_at: currentIsoTime(), acknowledged_at: null })
    .execute()
  const childNotice = childNoticeKinds[action]
  if (childNotice) await recordNoticeAboutChild(tx, { child: user_id, kind: childNotice, text: note })
  const { config, publicSite, settings } = context
  const recipient = await readNameHandleEmailAndVerifiedTime(tx, user_id)
  // Sends no mail without SMTP_URL, because only the operator could read it, and none to an unverified
  // address, because the address may be a stranger's.
  if (!config.SMTP_URL || !recipient?.email || !recipient.email_verified_at) return
  const lang = await readMemberLanguage(tx, user_id, settings.current().default_language ?? context.lang)
  const t = mailTexts[lang]
  const mail = renderMailMessage({
    lang,
    site: publicSite,
    to: recipient.email,
    name: recipient.name,
    subject: t.subject(publicSite.name),
    paragraphs: [t.text],
    button: { label: t.button, link: `${publicSite.origin}/moderation` },
  })
  await enqueueMail(tx, user_id, mail)
}

const noticesQuery = ({ db, me }: MemberViewerContext) =>
  db
    .selectFrom('moderation_notices')
    .select(['id', 'action', 'kind', 'excerpt', 'note', 'created_at'])
    .where('user_id', '=', me.id)

/** Lists one page of all notices to the viewer, newest first, for the export of the member's data. */
export async function listOwnModerationNoticesForExport(
  viewer: MemberViewerContext,
  page: PaginationParameters,
) {
  const rows = await limitQueryToKeysetPagePlusOneRow(noticesQuery(viewer), 'id', page, 'desc').execute()
  return toPagedResponse(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown): ModerationNotice[] => shown,
  )
}

/** Lists the notices to the viewer that the viewer has not acknowledged, oldest first. */
export const listUnacknowledgedModerationNotices = (
  viewer: MemberViewerContext,
): Promise<ModerationNotice[]> =>
  noticesQuery(viewer)
    .where('acknowledged_at', 'is', null)
    .orderBy('id')
    .limit(MAX_MODERATION_NOTICES_PER_RESPONSE)
    .execute()

/** The time in ms after which a notice loses its excerpt, counted from the member's acknowledgement. */
const EXCERPT_RETENTION = 90 * 24 * 3600_000

/**
 * Deletes the excerpts of moderation notices that were acknowledged at least ninety days ago. The notes of
 * moderators stay.
 */
export const deleteExcerptsOfOldModerationNotices = (tx: Tx) =>
  tx
    .updateTable('moderation_notices')
    .set({ excerpt: null })
    .where('excerpt', 'is not', null)
    .where('acknowledged_at', '<', new Date(Date.now() - EXCERPT_RETENTION).toISOString())
    .execute()

/**
 * Marks a notice to the viewer as acknowledged. Throws 404 if the viewer has no such notice. Changes nothing
 * if it is acknowledged already.
 */
export const acknowledgeModerationNotice = ({ db, me }: MemberContext, id: number) =>
  transaction(db, async (tx) => {
    const own = tx
      .selectFrom('moderation_notices')
      .select('id')
      .where('id', '=', id)
      .where('user_id', '=', me.id)
    if (!(await hasMatchingRow(own))) throw httpErrorFactories.notFound()
    await tx
      .updateTable('moderation_notices')
      .set({ acknowledged_at: currentIsoTime() })
      .where('id', '=', id)
      .where('acknowledged_at', 'is', null)
      .execute()
  })

/**
 * Creates the function that the module uses as `requiredPage`. That function returns the path of the page
 * with the notices if the member has not acknowledged all notices, otherwise null.
 */
export function createRequiredModerationNoticesPathFinder({ db, queryCaches }: AppContext) {
  const hasOpenNotices = queryCaches<boolean>(['moderation_notices'], 5000)
  return async (me: number) => {
    const open = db
      .selectFrom('moderation_notices')
      .select('id')
      .where('user_id', '=', me)
      .where('acknowledged_at', 'is', null)
    return (await hasOpenNotices(String(me), () => hasMatchingRow(open))) ? '/moderation' : null
  }
}
