import type { AppContext, MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { hasMatchingRow, isoNow, type Tx } from '#core/database/database.ts'
import { pageOf } from '#core/database/keyset.ts'
import { transaction } from '#core/database/transaction.ts'
import { httpErrors } from '#core/http/errors.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import type { ChildNoticeKind } from '#features/guardians/contract.ts'
import * as childNotices from '#features/guardians/notices.ts'
import { languageOf } from '#features/people/languages.ts'
import { canMail, mailMember } from '#features/people/member-mails.ts'
import * as people from '#features/people/read.ts'
import type { MemberViewer } from '#features/people/visibility.ts'
import { type DecisionAction, MAX_NOTICES, type ModerationNotice, type ReportKind } from './contract.ts'

// A member sees a notice at the next visit, and acknowledges it.

const mailTexts = {
  en: {
    subject: (app: string) => `A message of the moderators of ${app}`,
    text: 'The moderators have decided about something that concerns you. Please read their message.',
    button: 'Read the message',
  },
  ja: {
    subject: (app: string) => `【${app}】モデレーターからの連絡`,
    text: 'あなたの書き込みなどについて、モデレーターから連絡があります。内容をご確認ください。',
    button: '内容を読む',
  },
} satisfies Record<Language, object>

/** Without suspensions: a listener of `member.suspended` stores the notice about them. */
const childNoticeKinds: Partial<Record<DecisionAction, ChildNoticeKind>> = {
  warn: 'warned',
  hide: 'content_hidden',
  restore: 'content_restored',
  delete: 'content_deleted',
}

interface NewNotice {
  author_id: number
  action: DecisionAction
  kind: ReportKind
  excerpt: string | null
  note: string
}

/**
 * Mails the member, without details. Guardians of a child get a notice too, unless it is a suspension. `lang`
 * is for members whose own language is unknown.
 */
export async function create(
  context: AppContext & { lang: Language },
  tx: Tx,
  { author_id: user_id, action, kind, excerpt, note }: NewNotice,
) {
  await tx
    .insertInto('moderation_notices')
    .values({ user_id, action, kind, excerpt, note, created_at: isoNow(), acknowledged_at: null })
    .execute()
  const childNotice = childNoticeKinds[action]
  if (childNotice) await childNotices.add(tx, { child: user_id, kind: childNotice, text: note })
  const { config, settings } = context
  const recipient = await people.findRecipient(tx, user_id)
  if (!canMail(config, recipient)) return
  const lang = await languageOf(tx, user_id, settings.current().default_language ?? context.lang)
  const t = mailTexts[lang]
  await mailMember(context, tx, user_id, recipient, {
    lang,
    subject: t.subject,
    paragraphs: [t.text],
    button: { label: t.button, path: '/moderation' },
  })
}

const noticesQuery = ({ db, me }: MemberViewer) =>
  db
    .selectFrom('moderation_notices')
    .select(['id', 'action', 'kind', 'excerpt', 'note', 'created_at'])
    .where('user_id', '=', me.id)

/** Newest first. */
export async function listOwn(viewer: MemberViewer, page: PageParams) {
  const rows = await pageOf(noticesQuery(viewer), 'id', page, 'desc').execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ before: last.id }),
    (shown): ModerationNotice[] => shown,
  )
}

/** Oldest first. */
export const listOpen = (viewer: MemberViewer): Promise<ModerationNotice[]> =>
  noticesQuery(viewer).where('acknowledged_at', 'is', null).orderBy('id').limit(MAX_NOTICES).execute()

/** In ms after the acknowledgement. */
const EXCERPT_RETENTION = 90 * 24 * 3600_000

/** The notes of moderators stay. */
export const deleteOldExcerpts = (tx: Tx) =>
  tx
    .updateTable('moderation_notices')
    .set({ excerpt: null })
    .where('excerpt', 'is not', null)
    .where('acknowledged_at', '<', new Date(Date.now() - EXCERPT_RETENTION).toISOString())
    .execute()

/** 404 if it is not the viewer's. Changes nothing if it is acknowledged already. */
export const acknowledge = ({ db, me }: MemberContext, id: number) =>
  transaction(db, async (tx) => {
    const own = tx
      .selectFrom('moderation_notices')
      .select('id')
      .where('id', '=', id)
      .where('user_id', '=', me.id)
    if (!(await hasMatchingRow(own))) throw httpErrors.notFound()
    await tx
      .updateTable('moderation_notices')
      .set({ acknowledged_at: isoNow() })
      .where('id', '=', id)
      .where('acknowledged_at', 'is', null)
      .execute()
  })

/** For `requiredPage` of the module: a path while a notice is not acknowledged, otherwise null. */
export function createPathFinder({ db, queryCaches }: AppContext) {
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
